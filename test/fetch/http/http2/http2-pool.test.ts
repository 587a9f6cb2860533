import type { RequestListener } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RequestLimits } from '../../../../src/throttle/request-limits.ts'
import { archiveExchange } from '../../../../src/warc/archive-exchange.ts'
import { makeAuthority, selfSigned } from '../../../support/certificates.ts'
import { startHttpProxy } from '../../../support/http-proxy.ts'
import { frame, serveFrames, serveHttp2 } from '../../../support/http2-server.ts'
import { serveRaw } from '../../../support/serve.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

type Options = Parameters<typeof openTestFetcher>[0]

const open = (options: Options = {}) =>
  openTestFetcher({ insecure: true, concurrency: 16, timeout: 20_000, ...options })

const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION, ORIGIN] = [0, 1, 3, 4, 6, 9, 12]
const END_HEADERS = 4
const OK = frame(HEADERS, END_HEADERS, 1, Buffer.from([0x88]))
const NO_SETTINGS = frame(SETTINGS, 0, 0)

function hello(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'text/html' })
  stream.end('hello')
}

/** Requests pages at the same time, once each, and returns the results. */
function getAll(url: string, count: number, client = open()) {
  const get = (n: number) => client.get({ url: `${url}/${n}`, maxBody: ENOUGH, keepBody: true })
  return Promise.all(Array.from({ length: count }, (_, n) => get(n)))
}

describe('an HTTP/2 server', () => {
  it('gets all requests on one connection, even if it speaks nothing else', async () => {
    const body = gzipSync('hello')
    const server = await serveHttp2((stream) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' })
      stream.end(body)
    })
    const client = open()
    const answers = [
      ...(await getAll(server.url, 12, client)),
      ...(await getAll(server.url, 3, client)),
    ]
    expect(answers.map((answer) => answer.body?.toString())).toEqual(Array(15).fill('hello'))
    expect(server.sessions.size).toBe(1)
    const head = await client.head({ url: `${server.url}/` })
    expect(head).toMatchObject({ status: 200, bytes: 0 })
  })

  it('gets HTTP/1.1 requests if only those are allowed', async () => {
    const onRequest: RequestListener = (request, response) => response.end(request.httpVersion)
    const both = await serveHttp2(() => {}, { allowHTTP1: true, onRequest })
    const alone = await serveHttp2(hello)
    const client = open({ http1: true })
    const get = (url: string) => client.get({ url: `${url}/`, maxBody: ENOUGH })
    await expect(get(alone.url)).rejects.toMatchObject({ code: 'tls-failure' })
    expect(await get(both.url)).toMatchObject({ status: 200 })
    expect(both.sessions.size).toBe(0)
  })

  it('may choose HTTP/1.1', async () => {
    const server = await serveRaw(
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
      await selfSigned(),
    )
    const answers = await getAll(server.url, 6, open({ concurrency: 3 }))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(server.connections).toBeLessThanOrEqual(3)
  })

  it('may send interim responses and trailers', async () => {
    const server = await serveHttp2((stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</style.css>' })
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ checksum: '1' }))
      stream.end('hello')
    })
    const [answer] = await getAll(server.url, 1)
    expect(answer).toMatchObject({ status: 200, truncated: false, bytes: 5 })
    expect(answer?.headers).not.toHaveProperty('link')
  })

  it('may end connections: unprocessed requests are sent once more on another one', async () => {
    let answered = 0
    const server = await serveHttp2((stream) => {
      hello(stream)
      if (++answered === 3) stream.session?.goaway(0)
    })
    expect((await getAll(server.url, 12)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(server.sessions.size).toBeLessThanOrEqual(3)
  })

  it('may refuse a stream, which is tried once more', async () => {
    let refused = 0
    const server = await serveHttp2((stream) => {
      if (refused++ === 0) stream.close(7)
      else hello(stream)
    })
    expect(await getAll(server.url, 1)).toMatchObject([{ status: 200 }])
  })

  it('keeps its connection if a body is truncated', async () => {
    const server = await serveHttp2((stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(1_000_000))
    })
    const client = open()
    for (let n = 0; n < 3; n++) {
      const answer = await client.get({ url: `${server.url}/`, maxBody: 1_000 })
      expect(answer).toMatchObject({ truncated: true, bytes: 1_000 })
    }
    expect(server.sessions.size).toBe(1)
  })

  it('gets a new connection if the old one has become silent', async () => {
    let streams = 0
    const server = await serveHttp2((stream) => {
      // The third request and all later ones on the first connection get no response.
      if (server.sessions.size === 1 && ++streams > 2) return
      hello(stream)
    })
    const client = open({ timeout: 500 })
    const get = () => client.get({ url: `${server.url}/`, maxBody: ENOUGH })
    for (let n = 0; n < 2; n++) expect(await get()).toMatchObject({ status: 200 })
    await expect(get()).rejects.toMatchObject({ code: 'timeout', isTransient: true })
    // The session ends after a while.
    await sleep(200)
    expect(await get()).toMatchObject({ status: 200 })
    expect(server.sessions.size).toBe(2)
  })

  it('may have large headers and small bodies, any number at a time', async () => {
    const policy = Array.from({ length: 500 }, (_, n) => `https://${n}.test`).join(' ')
    let count = 0
    const server = await serveHttp2((stream) => {
      setTimeout(() => {
        if (stream.destroyed) return
        stream.respond({ ':status': 404, 'x-policy': `${policy} ${count++}` })
        stream.end('no')
      }, 20)
    })
    const client = open({ concurrency: 8 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => getAll(server.url, 40, client)),
    )
    expect(answers.flat().filter(({ status }) => status === 404)).toHaveLength(320)
  })

  it('is reached through a proxy, and never at a private address', async () => {
    const server = await serveHttp2(hello)
    const proxy = await startHttpProxy()
    const proxies = { http: proxy.url, https: proxy.url, except: [], exceptLoopback: false }
    expect(await getAll(server.url, 2, open({ proxies }))).toMatchObject([
      { status: 200 },
      { status: 200 },
    ])
    await proxy.close()
    await expect(getAll(server.url, 1, open({ allowPrivate: false }))).rejects.toMatchObject({
      code: 'private-address',
    })
    expect(server.sessions.size).toBe(1)
  })

  it("gets the client's certificate, and presents one of a trusted authority", async () => {
    const authority = await makeAuthority()
    const demand = { ca: authority.cert, requestCert: true, rejectUnauthorized: true }
    const server = await serveHttp2(hello, { ...(await authority.issue('127.0.0.1')), ...demand })
    const { cert: certificate, key } = await authority.issue()
    const certificates = { authorities: authority.cert, client: { certificate, key } }
    const options = { insecure: false, headerOrigins: [server.url] }
    const own = open({ ...options, certificates })
    expect(await getAll(server.url, 1, own)).toMatchObject([{ status: 200 }])
    const stranger = getAll(server.url, 1, open(options))
    await expect(stranger).rejects.toMatchObject({ code: 'tls-failure' })
  })

  it('is read no faster than --bandwidth allows', async () => {
    const server = await serveHttp2((stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(300_000))
    })
    const settings = { bandwidth: 200_000 }
    const limits = RequestLimits.open(RequestLimits.allocate(settings, 1, false), settings, 0)
    const started = performance.now()
    expect(await getAll(server.url, 1, open({ limits }))).toMatchObject([{ bytes: 300_000 }])
    expect(performance.now() - started).toBeGreaterThan(500)
  })

  it('is archived as HTTP/1.1, with a field for the original protocol', async () => {
    const server = await serveHttp2((stream) => {
      stream.respond({ ':status': 200, 'set-cookie': ['a=1', 'b=2'] })
      stream.end('hello')
    })
    const [answer] = await getAll(server.url, 1, open({ archive: archiveExchange }))
    const record = gunzipSync(answer?.exchange?.response ?? '').toString('latin1')
    expect(record).toContain('\r\nWARC-Protocol: h2\r\n')
    expect(record).toContain('\r\nWARC-IP-Address: 127.0.0.1\r\n')
    expect(record).toMatch(/\r\n\r\nHTTP\/1\.1 200 \r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/)
  })
})

describe('a hostile HTTP/2 server', () => {
  const failure = async (url: string, options?: Options) => {
    return getAll(url, 1, open(options)).then(
      ([answer]): unknown => answer?.failure ?? answer,
      (reason: unknown) => reason,
    )
  }

  it.each<[string, Buffer, boolean, string]>([
    ['sends no HTTP/2', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), false, 'invalid-response'],
    ['sends settings endlessly', NO_SETTINGS, true, 'invalid-response'],
    ['sends pings endlessly', frame(PING, 0, 0, Buffer.alloc(8)), true, 'invalid-response'],
    [
      'sends ORIGIN frames endlessly',
      Buffer.concat(Array(500).fill(frame(ORIGIN, 0, 0, '\0\x09https://a'))),
      true,
      'invalid-response',
    ],
  ])('causes a failure if it %s', async (_, frames, isEndless, code) => {
    const start =
      isEndless && frames !== NO_SETTINGS ? Buffer.concat([NO_SETTINGS, frames]) : frames
    expect(await failure(await serveFrames(start, isEndless))).toMatchObject({ code })
  })

  it.each<[string, Buffer]>([
    ['headers', frame(CONTINUATION, 0, 1, `\0\x03x-a\x64${'y'.repeat(100)}`)],
    ['empty header frames', frame(CONTINUATION, 0, 1)],
  ])('causes a failure if it sends %s endlessly', async (_, more) => {
    const start = Buffer.concat([NO_SETTINGS, frame(HEADERS, 0, 1, Buffer.from([0x88]))])
    const frames = Buffer.concat([start, ...Array(5_000).fill(more)])
    expect(await failure(await serveFrames(frames))).toMatchObject({ code: 'invalid-response' })
  })

  it.each<[string, Record<string, string>, string]>([
    ['more than 64 KiB', { x: 'y'.repeat(100_000) }, 'invalid-response'],
    [
      'more than 128 fields',
      Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y'])),
      'connection-reset',
    ],
  ])('causes a failure if a header has %s', async (_, headers, code) => {
    const server = await serveHttp2(
      (stream) => {
        stream.respond({ ':status': 200, ...headers })
        stream.end('hello')
      },
      { maxSendHeaderBlockLength: 1_000_000 },
    )
    expect(await failure(server.url)).toMatchObject({ code })
  })

  it.each([
    ['refuses each stream', (stream: ServerHttp2Stream) => stream.close(7)],
    ['resets each stream at once', (stream: ServerHttp2Stream) => stream.close(2)],
    [
      'ends each connection with GOAWAY',
      (stream: ServerHttp2Stream) => stream.session?.goaway(0, 0),
    ],
  ])('gets few requests if it %s', async (_, refuse) => {
    let streams = 0
    const server = await serveHttp2((stream) => {
      streams++
      refuse(stream)
    })
    expect(await failure(server.url, { timeout: 1_000 })).toMatchObject({
      code: expect.stringMatching(/^(?:connection-reset|connection-failed|timeout)$/),
    })
    expect(streams).toBeLessThanOrEqual(2)
    expect(server.sessions.size).toBeLessThanOrEqual(2)
  })

  it('causes a failure if it sends many interim responses', async () => {
    const server = await serveHttp2((stream) => {
      for (let n = 0; n < 200; n++) stream.additionalHeaders({ ':status': 103 })
      hello(stream)
    })
    expect(await failure(server.url)).toMatchObject({ code: 'invalid-response' })
  })

  it.each([2, 8])('that resets the stream with code %d has not sent a whole body', async (code) => {
    const reset = frame(RST_STREAM, 0, 1, Buffer.from([0, 0, 0, code]))
    const url = await serveFrames(
      Buffer.concat([NO_SETTINGS, OK, frame(DATA, 0, 1, 'half'), reset]),
    )
    const client = open()
    const answer = await client.get({ url: `${url}/`, maxBody: ENOUGH, mayRetry: false })
    expect(answer).toMatchObject({
      truncated: true,
      bytes: 4,
      failure: { code: 'connection-reset' },
    })
  })

  it.each<[string, Buffer]>([
    ['sends nothing', Buffer.alloc(0)],
    ['allows no stream', frame(SETTINGS, 0, 0, Buffer.from([0, 3, 0, 0, 0, 0]))],
    ['sends a header without a body', Buffer.concat([NO_SETTINGS, OK])],
  ])('causes a timeout if it %s', async (_, frames) => {
    expect(await failure(await serveFrames(frames), { timeout: 300 })).toMatchObject({
      code: 'timeout',
    })
  })
})
