import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { freePort } from '../support/listen.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { html, serveBytes, visitUrl } from './visit-url.ts'

const CLOSED = 'Connection: close\r\nContent-Length: 100\r\n'

describe('a page', () => {
  it('returns a record of the page, and the URLs that are new', async () => {
    const body = '<title>Caf&eacute;</title><a href=a>A</a><a href="a#b">A</a><a href=//else.test/>'
    const { url } = await serve((_, response) => void response.writeHead(200, html).end(body))
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', id: 7, status: 200, discovered: [`${url}/a`] })
    expect(record).toEqual({
      ...{ url: `${url}/`, status: 200, depth: 0, hop: 'seed', contentType: 'text/html' },
      ...{ charset: 'utf-8', bytes: body.length, title: 'Café', links: 3, discovered: 1 },
      ...{ attempts: 1, worker: 1, ms: expect.any(Number) },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('reports no links at the depth limit', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(200, html).end('<a href=a>A</a>'),
    )
    const { outcome, record } = await visitUrl(`${url}/`, {
      depth: 3,
      via: `${url}/x`,
      hop: 'link',
    })
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
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status, discovered: [] })
    expect(record).not.toHaveProperty('links')
    expect(record).not.toHaveProperty('error')
  })

  it("is not searched for links if it isn't HTML", async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('<a href=a>A</a>'),
    )
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ status: 200, discovered: [] })
    expect(record).toMatchObject({ contentType: 'text/plain', bytes: 15 })
    expect(record).not.toHaveProperty('links')
  })

  it('is truncated after --max-body, with the links before that', async () => {
    const start = '<a href=first>A</a>'.padEnd(1_000)
    const { url } = await serve(
      (_, response) => void response.writeHead(200, html).end(`${start}<a href=second>B</a>`),
    )
    const { outcome, record } = await visitUrl(`${url}/`, {}, { maxBody: 1_000 })
    expect(outcome).toMatchObject({ discovered: [`${url}/first`], bytes: 1_000 })
    expect(record).toMatchObject({ bytes: 1_000, truncated: true, links: 1 })
  })

  it('has a status and an error if its content coding is unsupported', async () => {
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { ...html, 'content-encoding': 'compress' }).end('<n uers=n>'),
    )
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status: 200, error: 'invalid-content-coding' })
    expect(record).toMatchObject({
      status: 200,
      error: { code: 'invalid-content-coding', message: 'unsupported content coding compress' },
    })
  })

  it.each([
    ['its connection is closed', 'Content-Length: 100\r\n', 'connection-reset'],
    ['its connection is closed, as the header announced', CLOSED, 'connection-reset'],
    ['a chunk is invalid', 'Transfer-Encoding: chunked\r\n', 'invalid-response'],
  ])('is truncated, with an error, if its body breaks off: %s', async (_, fields, code) => {
    const body = '<title>Half</title><a href=first>A</a><a href='
    const framed = code === 'invalid-response' ? `${body.length.toString(16)}\r\n${body}zz` : body
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${fields}\r\n`
    const { url } = await serveBytes(head + framed)
    const { outcome, record } = await visitUrl(`${url}/`)
    const discovered = [`${url}/first`]
    expect(outcome).toMatchObject({ type: 'visited', status: 200, error: code, discovered })
    const found = { title: 'Half', links: 1, bytes: body.length, truncated: true }
    expect(record).toMatchObject({ status: 200, error: { code }, ...found })
  })

  it("is truncated, with an error, if it doesn't arrive in time", async () => {
    const { url } = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=first>A</a>')
    })
    const { outcome, record } = await visitUrl(`${url}/`, {}, { timeout: 1_000 })
    expect(outcome).toMatchObject({ error: 'timeout', discovered: [`${url}/first`] })
    expect(record).toMatchObject({ status: 200, error: { code: 'timeout' }, truncated: true })
  })

  it('is truncated if its content coding ends early', async () => {
    const coded = gzipSync(`<a href=first>A</a>${randomBytes(3_000).toString('hex')}`)
    const part = coded.subarray(0, coded.length - 100)
    const { url } = await serve(
      (_, response) =>
        void response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(part),
    )
    const { outcome, record } = await visitUrl(`${url}/`, {}, { retries: 5, digests: true })
    expect(outcome).toMatchObject({ type: 'visited', discovered: [`${url}/first`] })
    expect(outcome).not.toHaveProperty('content')
    expect(record).toMatchObject({ status: 200, links: 1, truncated: true })
    expect(record).not.toHaveProperty('error')
  })
})

describe('an attempt', () => {
  it.each([408, 429, 500, 502, 503, 504])(
    'that gets status %i is postponed while further attempts are left',
    async (status) => {
      const { url } = await serve((_, response) => void response.writeHead(status).end())
      const [first, last] = await Promise.all([
        visitUrl(`${url}/`, { attempt: 1 }, { retries: 1 }),
        visitUrl(`${url}/`, { attempt: 2, failures: 1 }, { retries: 1 }),
      ])
      expect(first.outcome).toEqual({ type: 'postponed', id: 7, ms: expect.any(Number), status })
      expect(last.outcome).toMatchObject({ type: 'visited', status })
      expect(last.record).toMatchObject({ status, attempts: 2 })
    },
  )

  it('that fails transiently is postponed while further attempts are left', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const [first, last] = await Promise.all([
      visitUrl(url, { attempt: 1 }, { retries: 1 }),
      visitUrl(url, { attempt: 2, failures: 1 }, { retries: 1 }),
    ])
    const error = 'connection-refused'
    expect(first.outcome).toEqual({ type: 'postponed', id: 7, ms: expect.any(Number), error })
    expect(last.outcome).toMatchObject({ type: 'failed', id: 7, error: 'connection-refused' })
    expect(last.record).toMatchObject({ attempts: 2, error: { code: 'connection-refused' } })
    expect(last.record).not.toHaveProperty('status')
  })

  it('that gets half of a body is postponed while further attempts are left', async () => {
    const { url } = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<a href=')
    const { outcome } = await visitUrl(`${url}/`, { attempt: 1 }, { retries: 1 })
    const error = 'connection-reset'
    expect(outcome).toEqual({ type: 'postponed', id: 7, ms: expect.any(Number), error })
  })

  it('that fails permanently is the last', async () => {
    const { url } = await serveBytes('220 mail.test ESMTP\r\n')
    const { outcome } = await visitUrl(`${url}/`, { attempt: 1 }, { retries: 5 })
    expect(outcome).toMatchObject({ type: 'failed', error: 'invalid-response' })
  })

  it('is not repeated for a permanent status, nor for a readable page', async () => {
    const { url } = await serve(
      (_, response) =>
        void response
          .writeHead(501, { ...html, 'content-encoding': 'gzip' })
          .end(gzipSync('never').subarray(0, 15)),
    )
    const { outcome } = await visitUrl(`${url}/`, { attempt: 1 }, { retries: 5 })
    expect(outcome).toMatchObject({ type: 'visited', status: 501 })
  })

  it('that checks a link with HEAD is postponed at any error, and says that no retry follows', async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end())
    const from = { hop: 'external' } as const
    const scope = { scope: 'host', seeds: ['http://seed.test/'], include: [], exclude: [] } as const
    const [first, last] = await Promise.all([
      visitUrl(`${url}/`, { ...from, attempt: 1 }, { external: true, scope }),
      visitUrl(`${url}/`, { ...from, attempt: 2, failures: 1 }, { external: true, scope }),
    ])
    expect(first.outcome).toMatchObject({ type: 'postponed', status: 404, isPreliminary: true })
    expect(last.outcome).toMatchObject({ type: 'visited', status: 404 })
  })

  it('that checks a link with HEAD gets neither size nor hash, since no body was read', async () => {
    const { url } = await serve((_, response) => void response.writeHead(200, html).end('Hello'))
    const scope = { scope: 'host', seeds: ['http://seed.test/'], include: [], exclude: [] } as const
    const hashed = { hash: true, digests: true, scope }
    const page = await visitUrl(`${url}/`, {}, hashed)
    expect(page.record).toMatchObject({ bytes: 5, hash: expect.any(String) })
    const link = await visitUrl(`${url}/`, { hop: 'external' }, { ...hashed, external: true })
    expect(link.record).toMatchObject({ status: 200 })
    expect(link.record).not.toHaveProperty('bytes')
    expect(link.record).not.toHaveProperty('hash')
  })
})
