import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { USER_AGENT } from '../../src/config/user-agent.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { ENOUGH, openClient } from './open-client.ts'

const html = { 'content-type': 'text/html' }

describe('HttpClient', () => {
  it('gives status, content type and body of a page', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(404, { 'content-type': 'Text/HTML; Charset="UTF-8"' }).end('gone'),
    )
    const answer = await openClient().get(`${url}/`, ENOUGH)
    expect(answer).toMatchObject({ status: 404, bytes: 4, truncated: false })
    expect(answer.contentType).toEqual({ type: 'text/html', charset: 'UTF-8' })
    expect(answer.body?.toString()).toBe('gone')
  })

  it('counts the bytes of what is no page, and keeps them only when asked to', async () => {
    const { url } = await serve((_, response) =>
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(100_000)),
    )
    const client = openClient()
    const counted = await client.get(`${url}/`, ENOUGH)
    expect(counted.bytes).toBe(100_000)
    expect(counted.body).toBeUndefined()
    expect((await client.get(`${url}/`, ENOUGH, { keepBody: true })).body).toHaveLength(100_000)
  })

  it('counts decoded bytes, also of what is no page', async () => {
    const { url } = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/css', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(100_000))),
    )
    expect((await openClient().get(`${url}/`, ENOUGH)).bytes).toBe(100_000)
  })

  it('reads the last of several content types that makes sense, as browsers do', async () => {
    const { url } = await serveRaw((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html; charset=gbk\r\n' +
          'Content-Length: 2\r\n\r\nok',
      ),
    )
    const { contentType } = await openClient().get(`${url}/`, ENOUGH)
    expect(contentType).toEqual({ type: 'text/html', charset: 'gbk' })
  })

  it('waits for the final answer after interim ones', async () => {
    const { url } = await serveRaw((socket) =>
      socket.end(
        'HTTP/1.1 102 Processing\r\n\r\n' +
          'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    const answer = await openClient().get(`${url}/`, ENOUGH)
    expect(answer).toMatchObject({ status: 200, bytes: 2 })
  })

  it('reads a body that ends with the connection', async () => {
    const { url } = await serveRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold times'))
    const answer = await openClient().get(`${url}/`, ENOUGH, { keepBody: true })
    expect(answer.body?.toString()).toBe('old times')
  })

  it('takes no body where there is none', async () => {
    const { url } = await serve((_, response) => void response.writeHead(204, html).end())
    const answer = await openClient().get(`${url}/`, ENOUGH)
    expect(answer).toMatchObject({ status: 204, bytes: 0, truncated: false })
  })
})

describe('a request', () => {
  it('says who calls, and what is taken', async () => {
    const server = await serve((_, response) => void response.end())
    await openClient({ userAgent: USER_AGENT }).get(`${server.url}/`, ENOUGH)
    const headers = server.requests[0]?.headers
    expect(headers?.['user-agent']).toMatch(/^orbweaver\/\d+\.\d+\.\d+ \(\+https:\/\/.+\)$/)
    expect(headers?.['accept-encoding']).toBe('gzip, deflate, br, zstd')
    expect(headers?.accept).toContain('text/html')
    expect(headers?.host).toBe(server.url.slice('http://'.length))
  })

  it('asks for path and query as they are', async () => {
    const server = await serve((_, response) => void response.end())
    await openClient().get(`${server.url}/a%20b/;c?d=%E2%82%AC&e`, ENOUGH)
    expect(server.requests[0]?.url).toBe('/a%20b/;c?d=%E2%82%AC&e')
  })

  it('takes further headers to their origins, and nowhere else', async () => {
    const [ours, other] = await Promise.all([
      serve((_, response) => void response.end()),
      serve((_, response) => void response.end(), '127.0.0.2'),
    ])
    const client = openClient({ headers: { 'X-Key': 'secret' }, headerOrigins: [ours.url] })
    await client.get(`${ours.url}/`, ENOUGH)
    await client.get(`${other.url}/`, ENOUGH)
    expect(ours.requests[0]?.headers['x-key']).toBe('secret')
    expect(other.requests[0]?.headers['x-key']).toBeUndefined()
  })

  it('tells one port of a host from another when it takes headers along', async () => {
    const [ours, other] = await Promise.all([
      serve((_, response) => void response.end()),
      serve((_, response) => void response.end()),
    ])
    const client = openClient({ headers: { 'X-Key': 'secret' }, headerOrigins: [ours.url] })
    await client.get(`${other.url}/`, ENOUGH)
    expect(other.requests[0]?.headers['x-key']).toBeUndefined()
  })

  it('lets further headers replace its own, whatever their case', async () => {
    const server = await serve((_, response) => void response.end())
    const headers = { 'USER-AGENT': 'mine', 'Accept-Encoding': 'identity' }
    await openClient({ headers, headerOrigins: [server.url] }).get(`${server.url}/`, ENOUGH)
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': 'mine',
      'accept-encoding': 'identity',
    })
  })

  it('adds cookies to those of the headers, and takes those that are set', async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { 'set-cookie': ['a=1', 'b=2'], location: '/' }).end(),
    )
    const taken: unknown[] = []
    const jar = {
      headerFor: (url: string) => (url.endsWith('/c') ? 'c=3' : undefined),
      take: (...args: readonly unknown[]) => void taken.push(args),
    }
    const options = { headers: { Cookie: 'own=0' }, headerOrigins: [server.url] }
    const client = openClient(options, jar)
    await client.get(`${server.url}/`, ENOUGH)
    await client.get(`${server.url}/c`, ENOUGH)
    expect(server.requests.map(({ headers }) => headers.cookie)).toEqual(['own=0', 'own=0; c=3'])
    expect(taken[0]).toEqual([`${server.url}/`, ['a=1', 'b=2']])
  })

  it('goes over the connection of the one before', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    )
    const client = openClient({ concurrency: 1 })
    for (let i = 0; i < 5; i++) await client.get(`${server.url}/${i}`, ENOUGH)
    expect(server.heads).toHaveLength(5)
    expect(server.connections).toBe(1)
  })

  it('ends by the time given, however many wait', async () => {
    const server = await serve(() => {})
    const client = openClient({ timeout: 200, concurrency: 2 })
    const failures = await Promise.allSettled(
      [1, 2, 3, 4].map((page) => client.get(`${server.url}/${page}`, ENOUGH)),
    )
    const reasons = failures.map((each) => each.status === 'rejected' && each.reason.code)
    expect(reasons).toEqual(Array(4).fill('timeout'))
  })
})
