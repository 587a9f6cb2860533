import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { allocateSeenSet } from '../../src/seen/registry.ts'
import { hostKey } from '../../src/url/host-key.ts'
import { Counters } from '../../src/wire/counters.ts'
import type { CrawlUrl } from '../../src/wire/crawl-url.ts'
import type { Outcome } from '../../src/wire/messages.ts'
import { SeedHosts } from '../../src/wire/seed-hosts.ts'
import type { Visit } from '../../src/wire/visit.ts'
import type { WorkerSetup } from '../../src/wire/worker-setup.ts'
import { Accounts } from '../../src/worker/accounts.ts'
import { Discoverer } from '../../src/worker/discoverer.ts'
import { LinkGate } from '../../src/worker/link-gate.ts'
import { Reader } from '../../src/worker/reader.ts'
import { Visitor } from '../../src/worker/visitor.ts'
import { freePort, startRawServer } from '../support/raw-server.ts'
import { startServer } from '../support/site-server.ts'
import { openClient } from './http/open-client.ts'

const memory = { name: 'exact', expectedUrls: 1_000, falsePositiveRate: 0.001 } as const
const html = { 'content-type': 'text/html; charset=utf-8' }

function setupFor(seed: string, changes: Partial<WorkerSetup>): WorkerSetup {
  return {
    ...resolveConfig({ retries: 0, timeout: '60s' }),
    worker: 1,
    owner: 1,
    headerOrigins: [],
    authorizations: {},
    cookies: undefined,
    seedHosts: SeedHosts.allocate([hostKey(seed)]),
    scope: { scope: 'host', seeds: [seed], include: [], exclude: [] },
    widened: [],
    seen: allocateSeenSet(memory),
    shorterPaths: allocateSeenSet(memory),
    accounts: allocateSeenSet(memory),
    shownTexts: undefined,
    external: false,
    linkGraph: undefined,
    tellSkipped: true,
    tellOutlinks: false,
    archives: false,
    digests: false,
    deterministic: false,
    claimsLate: false,
    counters: Counters.allocate(1).memory,
    savesMemory: false,
    bodySlots: [],
    ...changes,
  }
}

/** Visits `url` as a worker does: the outcome, and its record. */
async function visit(
  url: string,
  from: Partial<CrawlUrl> = {},
  changes: Partial<WorkerSetup> = {},
) {
  const setup = setupFor(url, changes)
  const reader = new Reader(setup, new LinkGate(setup), new Discoverer(setup))
  const visitor = new Visitor(
    setup,
    openClient({ ...setup, bodySlots: [] }),
    reader,
    new Accounts(setup),
  )
  const outcome = await visitor.visit({
    ...{
      id: 7,
      url,
      depth: 0,
      sidesteps: 0,
      redirects: 0,
      hop: 'seed',
      attempt: 1,
      failures: 0,
      keepLinks: false,
    },
    ...from,
  })
  return { outcome, record: recordOf(outcome) }
}

function recordOf(outcome: Outcome): Visit | undefined {
  return outcome.type === 'postponed' ? undefined : JSON.parse(outcome.record)
}

async function serve(handler: Parameters<typeof startServer>[0]) {
  const server = await startServer(handler)
  onTestFinished(() => server.close())
  return server
}

async function serveBytes(bytes: string) {
  const server = await startRawServer((socket) => socket.end(bytes, 'utf8'))
  onTestFinished(() => server.close())
  return server
}

/** What an outcome holds when it leads to the target of a redirect. */
const to = (url: string) => ({ beside: [{ hop: 'redirect', urls: [url] }] })

describe('a page', () => {
  it('gives a record of what it is, and the URLs it is first to name', async () => {
    const body = '<title>Caf&eacute;</title><a href=a>A</a><a href="a#b">A</a><a href=//else.test/>'
    const { url } = await serve((_, response) => void response.writeHead(200, html).end(body))
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', id: 7, status: 200, discovered: [`${url}/a`] })
    expect(record).toEqual({
      ...{ url: `${url}/`, status: 200, depth: 0, hop: 'seed', contentType: 'text/html' },
      ...{ charset: 'utf-8', bytes: body.length, title: 'Café', links: 3, discovered: 1 },
      ...{ attempts: 1, worker: 1, ms: expect.any(Number) },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('names nothing at the depth limit', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(200, html).end('<a href=a>A</a>'),
    )
    const { outcome, record } = await visit(`${url}/`, { depth: 3, via: `${url}/x`, hop: 'link' })
    expect(outcome).toMatchObject({ discovered: [] })
    expect(record).toMatchObject({
      links: 1,
      discovered: 0,
      depth: 3,
      via: `${url}/x`,
      hop: 'link',
    })
  })

  it.each([404, 410, 500])('is not searched for links when its status is %i', async (status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, html).end('<a href=a>A</a>'),
    )
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status, discovered: [] })
    expect(record).not.toHaveProperty('links')
    expect(record).not.toHaveProperty('error')
  })

  it('is not searched for links when it is no HTML', async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('<a href=a>A</a>'),
    )
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ status: 200, discovered: [] })
    expect(record).toMatchObject({ contentType: 'text/plain', bytes: 15 })
    expect(record).not.toHaveProperty('links')
  })

  it('gives its first bytes, their links and `truncated` when it is longer than wanted', async () => {
    const start = '<a href=first>A</a>'.padEnd(1_000)
    const { url } = await serve(
      (_, response) => void response.writeHead(200, html).end(`${start}<a href=second>B</a>`),
    )
    const { outcome, record } = await visit(`${url}/`, {}, { maxBody: 1_000 })
    expect(outcome).toMatchObject({ discovered: [`${url}/first`], bytes: 1_000 })
    expect(record).toMatchObject({ bytes: 1_000, truncated: true, links: 1 })
  })

  it('has a status and an error when its coding is unknown', async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { ...html, 'content-encoding': 'rot13' }).end('<n uers=n>'),
    )
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status: 200, error: 'invalid-content-coding' })
    expect(record).toMatchObject({
      status: 200,
      error: { code: 'invalid-content-coding', message: 'unknown content coding "rot13"' },
    })
  })

  it('has a status and an error when it breaks off', async () => {
    const { url } = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<a href=')
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status: 200, error: 'connection-reset' })
    expect(record).toMatchObject({ status: 200, error: { code: 'connection-reset' } })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of status %i leads to its target', async (status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, { location: '../b?c#d' }).end(),
    )
    const { outcome, record } = await visit(`${url}/a/`)
    expect(outcome).toMatchObject({ type: 'visited', status, bytes: 0, ...to(`${url}/b?c`) })
    expect(record).toMatchObject({ status, redirectsTo: `${url}/b?c`, discovered: 1 })
  })

  it.each([300, 304, 305, 306])('is none when the status is %i', async (status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, { location: '/b' }).end(),
    )
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status })
    expect(outcome).toMatchObject({ beside: [] })
    expect(record).not.toHaveProperty('redirectsTo')
  })

  it('without a Location is an answer like any other', async () => {
    const { url } = await serve((_, response) => void response.writeHead(302, html).end('where?'))
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status: 302, bytes: 6 })
    expect(record).not.toHaveProperty('redirectsTo')
    expect(record).not.toHaveProperty('error')
  })

  it.each(['ftp://127.0.0.1/', 'mailto:a@b', 'http://', 'javascript:alert(1)', 'http://a b/'])(
    'to %s is an error',
    async (location) => {
      const { url } = await serve((_, response) => void response.writeHead(301, { location }).end())
      const { outcome, record } = await visit(`${url}/`)
      expect(outcome).toMatchObject({ type: 'visited', status: 301, error: 'invalid-redirect' })
      expect(record).toMatchObject({
        status: 301,
        error: {
          code: 'invalid-redirect',
          message: `expected an http or https URL, got ${JSON.stringify(location)}`,
        },
      })
    },
  )

  it('reads a Location in UTF-8, as servers send it', async () => {
    const { url } = await serveBytes(
      'HTTP/1.1 301 Moved\r\nLocation: /épeire\r\nContent-Length: 0\r\n\r\n',
    )
    expect((await visit(`${url}/`)).outcome).toMatchObject(to(`${url}/%C3%A9peire`))
  })

  it('leads on when its body breaks off', async () => {
    const { url } = await serveBytes(
      'HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n',
    )
    expect((await visit(`${url}/`)).outcome).toMatchObject({ status: 301, ...to(`${url}/b`) })
  })

  it('leads on when its body can not be decoded', async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(301, { location: '/b', 'content-encoding': 'rot13' }).end('zbirq'),
    )
    expect((await visit(`${url}/`)).outcome).toMatchObject({ status: 301, ...to(`${url}/b`) })
  })

  it('out of the scope is told apart', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(301, { location: 'http://else.test/' }).end(),
    )
    const { outcome, record } = await visit(`${url}/`)
    expect(outcome).toMatchObject({ leaves: 'http://else.test/' })
    expect(outcome).toMatchObject({ beside: [] })
    expect(record).toMatchObject({ redirectsTo: 'http://else.test/' })
  })

  it('is an error when it is the 21st in a row', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(301, { location: '/b' }).end(),
    )
    expect((await visit(`${url}/`, { redirects: 19 })).outcome).toMatchObject(to(`${url}/b`))
    const { outcome, record } = await visit(`${url}/`, { redirects: 20 })
    expect(outcome).toMatchObject({ type: 'visited', status: 301, error: 'too-many-redirects' })
    expect(outcome).toMatchObject({ beside: [] })
    expect(record).toMatchObject({ error: { code: 'too-many-redirects' }, redirectsTo: `${url}/b` })
  })
})

describe('an attempt', () => {
  it.each([408, 429, 500, 502, 503, 504])(
    'that meets status %i is put off while others are left',
    async (status) => {
      const { url } = await serve((_, response) => void response.writeHead(status).end())
      const [first, last] = await Promise.all([
        visit(`${url}/`, { attempt: 1 }, { retries: 1 }),
        visit(`${url}/`, { attempt: 2, failures: 1 }, { retries: 1 }),
      ])
      expect(first.outcome).toEqual({ type: 'postponed', id: 7, ms: expect.any(Number) })
      expect(last.outcome).toMatchObject({ type: 'visited', status })
      expect(last.record).toMatchObject({ status, attempts: 2 })
    },
  )

  it('that fails for a while is put off while others are left', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const [first, last] = await Promise.all([
      visit(url, { attempt: 1 }, { retries: 1 }),
      visit(url, { attempt: 2, failures: 1 }, { retries: 1 }),
    ])
    expect(first.outcome).toEqual({ type: 'postponed', id: 7, ms: expect.any(Number) })
    expect(last.outcome).toMatchObject({ type: 'failed', id: 7, error: 'connection-refused' })
    expect(last.record).toMatchObject({ attempts: 2, error: { code: 'connection-refused' } })
    expect(last.record).not.toHaveProperty('status')
  })

  it('that fails for good is the last', async () => {
    const { url } = await serveBytes('220 mail.test ESMTP\r\n')
    const { outcome } = await visit(`${url}/`, { attempt: 1 }, { retries: 5 })
    expect(outcome).toMatchObject({ type: 'failed', error: 'invalid-response' })
  })

  it('is not repeated for a status that lasts, nor for a page that can be read', async () => {
    const { url } = await serve(
      (_, response) =>
        void response
          .writeHead(501, { ...html, 'content-encoding': 'gzip' })
          .end(gzipSync('never').subarray(0, 15)),
    )
    const { outcome } = await visit(`${url}/`, { attempt: 1 }, { retries: 5 })
    expect(outcome).toMatchObject({ type: 'visited', status: 501 })
  })
})
