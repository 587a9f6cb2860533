import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RobotsFetcher } from '../../src/fetch-worker/robots-fetcher.ts'
import { openTestFetcher } from '../fetch/open-test-fetcher.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { startServer } from '../support/site-server.ts'

async function fetchRobots(origin: string) {
  const fetcher = new RobotsFetcher(openTestFetcher(), 'orbweaver/1.0 (+http://127.0.0.1/)', 60_000)
  return (await fetcher.fetch({ origin, url: `${origin}/robots.txt` })).reply
}

describe('RobotsFetcher', () => {
  it('returns the rules for the product token', async () => {
    const { url } = await serve(
      (_, response) =>
        void response.end(
          'User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\nDisallow: /private\n',
        ),
    )
    expect(await fetchRobots(url)).toMatchObject({
      access: 'rules',
      rules: { rules: [{ allow: false, pattern: '/private', line: 5 }] },
    })
  })

  it.each([400, 401, 403, 404, 410])('allows everything after status %i', async (status) => {
    const { url } = await serve((_, response) => void response.writeHead(status).end('no'))
    expect(await fetchRobots(url)).toEqual({ access: 'allow-all' })
  })

  it.each([429, 500, 503])(
    'disallows everything after status %i, with the reason',
    async (status) => {
      const { url } = await serve((_, response) => void response.writeHead(status).end('no'))
      const reason = `${url}/robots.txt answered ${status}`
      expect(await fetchRobots(url)).toEqual({ access: 'disallow-all', reason, isTransient: true })
    },
  )

  it.each([
    ['', 'Disallow: /a\nDisall', 'the connection was closed before the end of the body'],
    [
      'Content-Encoding: gzip\r\n',
      gzipSync('Disallow: /a'.repeat(9)).subarray(0, 25),
      'its coding ends early',
    ],
  ])(
    'disallows everything if the file is incomplete, with the reason',
    async (coding, body, why) => {
      const length = coding === '' ? 99 : body.length
      const head = `HTTP/1.1 200 OK\r\nConnection: close\r\n${coding}Content-Length: ${length}\r\n\r\n`
      const { url } = await serveRaw((socket) => {
        socket.write(head)
        socket.end(body)
      })
      const reason = `${url}/robots.txt: ${why}`
      expect(await fetchRobots(url)).toEqual({ access: 'disallow-all', reason, isTransient: true })
    },
  )

  it.each([
    ['is cut off', 'Content-Length: 99\r\n'],
    ['is not coded as its header says', 'Content-Encoding: gzip\r\nContent-Length: 4\r\n'],
  ])('allows everything after status 404 even if its page %s', async (_, fields) => {
    const head = `HTTP/1.1 404 Not Found\r\nConnection: close\r\n${fields}\r\n`
    const { url } = await serveRaw((socket) => socket.end(`${head}page`))
    expect(await fetchRobots(url)).toEqual({ access: 'allow-all' })
  })

  it('reports that the site does not respond if the connection is refused', async () => {
    const server = await startServer(() => {})
    await server.close()
    expect(await fetchRobots(server.url)).toMatchObject({
      ...{ access: 'disallow-all', isTransient: true },
      reason: expect.stringMatching(/^the site does not answer: connect ECONNREFUSED/),
    })
  })

  it('allows everything if the file is empty', async () => {
    const { url } = await serve((_, response) => void response.end())
    expect(await fetchRobots(url)).toEqual({ access: 'allow-all' })
  })

  it.each([301, 302, 303, 307, 308])(
    'reports the target of status %i, without following it',
    async (status) => {
      const { url, requests } = await serve(
        (_, response) => void response.writeHead(status, { location: 'r?x' }).end(),
      )
      expect(await fetchRobots(url)).toEqual({ access: 'moved', to: `${url}/r?x` })
      expect(requests).toHaveLength(1)
    },
  )

  it('reports the Retry-After of the host', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(503, { 'retry-after': '7' }).end(),
    )
    expect(await fetchRobots(url)).toMatchObject({ access: 'disallow-all', retryAfter: 7_000 })
  })

  it('reports at most --max-retry-after', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(503, { 'retry-after': '61' }).end(),
    )
    expect(await fetchRobots(url)).toMatchObject({ retryAfter: 60_000, isExcessive: true })
  })

  it.each([
    ['no Location', {}],
    ['an unusable Location', { location: 'ftp://127.0.0.1/r' }],
  ])('treats a file that redirects with %s as unavailable', async (_, headers) => {
    const { url } = await serve((__, response) => void response.writeHead(301, headers).end())
    expect(await fetchRobots(url)).toEqual({ access: 'allow-all' })
  })

  it('makes one request only, and reports whether another one may help', async () => {
    let requested = 0
    const server = await serveRaw((socket) => {
      requested++
      socket.destroy()
    })
    expect(await fetchRobots(server.url)).toMatchObject({
      access: 'disallow-all',
      isTransient: true,
    })
    expect(requested).toBe(1)
  })

  it('disallows everything if the response is not HTTP, and does not say that the site is silent', async () => {
    const server = await serveRaw((socket) => socket.end('hello, I am no HTTP server\r\n'))
    expect(await fetchRobots(server.url)).toMatchObject({
      access: 'disallow-all',
      reason: `${server.url}/robots.txt: the response doesn't begin with a status line of HTTP/1`,
      isTransient: false,
    })
  })

  it('reads only as much of a file as the parser uses, and no half of a rule', async () => {
    const filler = `#${'x'.repeat(1022)}\n`.repeat(511)
    const head = 'User-agent: *\nDisallow: /first\n'
    const start = `${head}${filler}`
    const last = `Disallow: /${'l'.repeat(2_000)}\n`
    const pad = `#${'y'.repeat(512 * 1024 - start.length - 13)}\n`
    const { url } = await serve((_, response) => void response.end(start + pad + last))
    expect((start + pad).length).toBe(512 * 1024 - 11)
    const answer = await fetchRobots(url)
    expect(answer).toMatchObject({ rules: { rules: [{ pattern: '/first' }] } })
  })
})
