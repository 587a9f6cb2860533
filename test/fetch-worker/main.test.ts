import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CrawlOptions, crawl, type Visit } from '../../src/index.ts'
import { serve } from '../support/serve.ts'

type Handler = Parameters<typeof serve>[0]

const html = { 'content-type': 'text/html' }
const links = (...hrefs: readonly string[]) => hrefs.map((href) => `<a href="${href}">`).join('')

/** Serves a site without a robots.txt. */
function serveWithoutRobots(handler: Handler, host = '127.0.0.1') {
  return serve((request, response) => {
    const isRobots = request.url === '/robots.txt'
    return isRobots ? response.writeHead(404).end() : handler(request, response)
  }, host)
}

async function visitsOf(config: CrawlOptions): Promise<Visit[]> {
  const visits: Visit[] = []
  for await (const visit of crawl({ workers: 1, ...config })) visits.push(visit)
  return visits
}

describe('a crawl', () => {
  it('follows 20 redirects in a row, and the last record has an error', async () => {
    const { url } = await serveWithoutRobots((request, response) => {
      const step = Number(request.url?.slice(1))
      response.writeHead(302, { location: `/${step + 1}` }).end()
    })
    const visits = await visitsOf({ seeds: [`${url}/0`] })
    expect(visits.map((visit) => visit.url)).toEqual(
      Array.from({ length: 21 }, (_, step) => `${url}/${step}`),
    )
    expect(visits.at(-1)).toMatchObject({
      ...{ hop: 'redirect', depth: 0, via: `${url}/19`, redirectsTo: `${url}/21` },
      error: { code: 'too-many-redirects' },
    })
    expect(visits.filter(({ error }) => error !== undefined)).toHaveLength(1)
  })

  it('ends if redirects form a loop', async () => {
    const { url } = await serveWithoutRobots((request, response) => {
      const location = { '/': '/a', '/a': '/b', '/b': '/a' }[request.url ?? ''] ?? '/'
      response.writeHead(301, { location }).end()
    })
    const visits = await visitsOf({ seeds: [`${url}/`] })
    expect(visits.map(({ redirectsTo }) => redirectsTo)).toEqual(
      ['/a', '/b', '/a'].map((path) => url + path),
    )
  })

  it('writes one record for a page that responds at the second attempt', async () => {
    let requested = 0
    const { url } = await serveWithoutRobots((_, response) => {
      if (++requested === 1) response.writeHead(503).end()
      else response.writeHead(200, html).end('<title>At last</title>')
    })
    const visits = await visitsOf({ seeds: [`${url}/`] })
    expect(visits).toHaveLength(1)
    expect(visits[0]).toMatchObject({ status: 200, attempts: 2, title: 'At last' })
  })

  it('writes one record for a page that never responds', async () => {
    const server = await serveWithoutRobots((request, response) => {
      if (request.url !== '/') throw new Error('as the test wants it')
      response.writeHead(200, html).end(links('/broken'))
    })
    const visits = await visitsOf({ seeds: [`${server.url}/`], retries: 1 })
    expect(visits).toHaveLength(2)
    expect(visits[1]).toMatchObject({ attempts: 2, error: { code: 'connection-reset' } })
    expect(visits[1]).not.toHaveProperty('status')
    // The first attempt meets a reused connection, so its request is sent once more on another one.
    expect(server.requests.filter(({ url }) => url === '/broken')).toHaveLength(3)
  })

  it('requests once if there are no retries', async () => {
    const server = await serveWithoutRobots((_, response) => void response.writeHead(503).end())
    const visits = await visitsOf({ seeds: [`${server.url}/`], retries: 0 })
    expect(visits).toMatchObject([{ status: 503, attempts: 1 }])
    expect(server.requests.filter(({ url }) => url === '/')).toHaveLength(1)
  })

  it('requests robots.txt once, with any number of workers', async () => {
    const server = await serve(async (request, response) => {
      await sleep(20)
      if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /no')
      else response.writeHead(200, html).end(links('/1', '/2', '/3', '/no', '/4', '/5', '/6'))
    })
    const seeds = ['/a', '/b', '/c', '/d', '/e'].map((path) => server.url + path)
    const visits = await visitsOf({ seeds, workers: 4 })
    expect(visits).toHaveLength(11)
    const requested = server.requests.map(({ url }) => url)
    expect(requested.filter((url) => url === '/robots.txt')).toHaveLength(1)
    expect(requested[0]).toBe('/robots.txt')
    expect(requested).not.toContain('/no')
  })

  it('gives up pages whose robots.txt responds 503', async () => {
    const server = await serve((_, response) => void response.writeHead(503).end())
    const visits = await visitsOf({ seeds: [`${server.url}/a`, `${server.url}/b`] })
    const error = { code: 'robots-unreachable', message: `${server.url}/robots.txt answered 503` }
    expect(visits).toMatchObject([
      { url: `${server.url}/a`, attempts: 0, error },
      { url: `${server.url}/b`, attempts: 0, error },
    ])
    // Requested again after half a second and a second.
    expect(server.requests.map(({ url }) => url)).toEqual(Array(3).fill('/robots.txt'))
  })

  it('sends user-defined headers to the origins of the seeds only', async () => {
    const other = await serveWithoutRobots((_, response) => void response.end(), '127.0.0.2')
    const server = await serveWithoutRobots((request, response) => {
      if (request.url === '/') response.writeHead(200, html).end(links('/in', other.url))
      else response.writeHead(302, { location: `${other.url}/secret` }).end()
    })
    const visits = await visitsOf({
      ...{ seeds: [`${server.url}/`], scope: 'any', allowPrivate: true },
      headers: { 'X-Key': 'secret' },
    })
    expect(visits).toHaveLength(4)
    expect(server.requests.map(({ headers }) => headers['x-key'])).toEqual(Array(3).fill('secret'))
    expect(other.requests.map(({ headers }) => headers['x-key'])).toEqual(Array(3).fill(undefined))
  })

  it("sends a seed's user and password to its origin only", async () => {
    const other = await serveWithoutRobots((_, response) => void response.end(), '127.0.0.2')
    const server = await serveWithoutRobots(
      (_, response) => void response.writeHead(200, html).end(links(other.url)),
    )
    const seed = `${server.url}/`.replace('//', '//me:p%40ss@')
    const visits = await visitsOf({ seeds: [seed], scope: 'any', allowPrivate: true })
    expect(visits.map(({ url }) => url)).toEqual([`${server.url}/`, `${other.url}/`])
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    const sent = (site: typeof other) => site.requests.map(({ headers }) => headers.authorization)
    expect(sent(server)).toEqual([basic, basic])
    expect(sent(other)).toEqual([undefined, undefined])
  })

  it("sends no user-defined headers to the target of a seed's redirect", async () => {
    const other = await serveWithoutRobots(
      (_, response) => void response.end('welcome'),
      '127.0.0.2',
    )
    const server = await serveWithoutRobots(
      (_, response) => void response.writeHead(301, { location: other.url }).end(),
    )
    const visits = await visitsOf({
      ...{ seeds: [`${server.url}/`], allowPrivate: true },
      headers: { 'X-Key': 'secret' },
    })
    expect(visits).toMatchObject([{ status: 301 }, { url: `${other.url}/`, status: 200 }])
    expect(other.requests.map(({ headers }) => headers['x-key'])).toEqual([undefined, undefined])
  })

  it('follows no hop from a private seed to another private host', async () => {
    const inner = await serve((_, response) => void response.end(), '127.0.0.2')
    const port = inner.url.split(':').at(-1)
    const names = ['127.0.0.2', '[::ffff:127.0.0.2]', '169.254.169.254', '[::1]']
    const targets = names.map((name) => `http://${name}:${port}/`)
    const { url } = await serveWithoutRobots((request, response) => {
      const [, index] = /^\/to\/(\d)$/.exec(request.url ?? '') ?? []
      if (index !== undefined) response.writeHead(302, { location: targets[Number(index)] }).end()
      else if (request.url === '/far') response.writeHead(302, { location: '/to/0' }).end()
      else response.writeHead(200, html).end(links('/far', ...targets.map((_, i) => `/to/${i}`)))
    })
    const config = { scope: 'any', ignoreRobots: true } as const
    const visits = await visitsOf({ ...config, seeds: [`${url}/`] })
    const refused = visits.filter(({ error }) => error?.code === 'private-address')
    const expected = targets.map((target) => new URL(target).href)
    expect(refused.map((visit) => visit.url).sort()).toEqual(expected.sort())
    expect(refused.map(({ attempts }) => attempts)).toEqual(targets.map(() => 1))
    expect(visits).toHaveLength(2 + 2 * targets.length)
    expect(inner.requests).toEqual([])
  })

  it('requests no robots.txt from a private host that a redirect leads to', async () => {
    const inner = await serve((_, response) => void response.end(), '127.0.0.2')
    const { url } = await serveWithoutRobots(
      (_, response) => void response.writeHead(301, { location: inner.url }).end(),
    )
    const visits = await visitsOf({ seeds: [`${url}/`] })
    expect(visits).toMatchObject([
      { status: 301 },
      { attempts: 0, error: { message: expect.stringContaining('is not public') } },
    ])
    expect(inner.requests).toEqual([])
  })
})
