import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { serve, serveRaw } from '../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const html = { 'content-type': 'text/html' }

describe('the HTTP fetcher', () => {
  it("counts decoded bytes, even if the body isn't a page", async () => {
    const { url } = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/css', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(100_000))),
    )
    expect((await openTestFetcher().get({ url: `${url}/`, maxBody: ENOUGH })).bytes).toBe(100_000)
  })

  it('reads a body that ends with the connection', async () => {
    const { url } = await serveRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold times'))
    const answer = await openTestFetcher().get({ url: `${url}/`, maxBody: ENOUGH, keepBody: true })
    expect(answer.body?.toString()).toBe('old times')
  })

  it('sends a request over the connection of the previous one', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    )
    const fetcher = openTestFetcher({ concurrency: 1 })
    for (let i = 0; i < 5; i++) await fetcher.get({ url: `${server.url}/${i}`, maxBody: ENOUGH })
    expect(server.heads).toHaveLength(5)
    expect(server.connections).toBe(1)
  })

  it("doesn't truncate a body at the limit whose content coding made it longer", async () => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, () => Math.floor(Math.random() * 256)))
    const { url } = await serve((_, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(noise)),
    )
    const answer = await openTestFetcher().get({ url: `${url}/`, maxBody: 5_000 })
    expect(answer).toMatchObject({ bytes: 5_000, truncated: false })
  })

  it('gives the body at most as much time as a timer can measure', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, html).write('the first part')
      setTimeout(() => response.end(', the second'), 20)
    })
    const fetcher = openTestFetcher({ timeout: 10 * 24 * 3_600_000 })
    const { body } = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH, failures: 3 })
    expect(body?.toString()).toBe('the first part, the second')
  })

  it('gives the body more time in each further attempt, but not a silent server', async () => {
    const timeout = 300
    const { url } = await serve(({ url: path }, response) => {
      if (path === '/silent') return
      response.writeHead(200, html).write('the first part')
      if (path === '/slow') setTimeout(() => response.end(', the second'), 1.5 * timeout)
    })
    const fetcher = openTestFetcher({ timeout })
    const failureOf = (path: string, failures: number) =>
      fetcher.get({ url: `${url}${path}`, maxBody: ENOUGH, failures }).catch(String)
    const slow = { url: `${url}/slow`, maxBody: ENOUGH, failures: 3 }
    const [body, ...failures] = await Promise.all([
      fetcher.get(slow),
      ...[failureOf('/endless', 0), failureOf('/endless', 2), failureOf('/silent', 2)],
    ])
    expect(body.body?.toString()).toBe('the first part, the second')
    const limits = failures.map((failure) => /within (\d+) ms/.exec(String(failure))?.[1])
    expect(limits).toEqual(['300', '900', '300'])
  })

  it('can continue after a body was truncated', async () => {
    const { url } = await serve((_, response) => void response.writeHead(200, html).end('12345'))
    const fetcher = openTestFetcher({ concurrency: 1 })
    for (let i = 0; i < 5; i++) await fetcher.get({ url: `${url}/`, maxBody: 1 })
    expect(await fetcher.get({ url: `${url}/`, maxBody: ENOUGH })).toMatchObject({ bytes: 5 })
  })
})
