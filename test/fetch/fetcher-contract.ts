import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { USER_AGENT } from '../../src/config/settings/politeness-settings.ts'
import type { Fetcher } from '../../src/fetch/fetcher.ts'
import type { FetcherOptions } from '../../src/fetch/open-fetcher.ts'
import type { CookieStore } from '../../src/fetch/request-headers.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { ENOUGH } from './open-test-fetcher.ts'

const HTML = { 'content-type': 'text/html' }

/** The content codings that requests accept. */
const CODINGS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const

/** A page with everything that a browser might load, or navigate to. */
const GREEDY_PAGE = `<!doctype html><link rel=stylesheet href=/style.css><link rel=preload as=script href=/a.js>
  <meta http-equiv=refresh content="0; url=/next"><script src=/script.js></script><img src=/image.png>
  <iframe src=/frame.html></iframe><script>fetch('/xhr'); location = '/elsewhere'</script>`

/** Tests the behavior that all users of a Fetcher rely on. */
export function keepsTheFetcherContract(
  name: string,
  open: (options?: Partial<FetcherOptions>, cookies?: CookieStore) => Fetcher,
): void {
  describe(`the response of the fetcher ${name}`, () => {
    it('has the status, the content type and the body of a page', async () => {
      const { url } = await serve((_, response) =>
        response.writeHead(404, { 'content-type': 'Text/HTML; Charset="UTF-8"' }).end('gone'),
      )
      const response = await open().get({ url: `${url}/`, maxBody: ENOUGH })
      expect(response).toMatchObject({ status: 404, bytes: 4, truncated: false, endsEarly: false })
      expect(response.contentType).toEqual({ type: 'text/html', charset: 'UTF-8' })
      expect(response.body?.toString()).toBe('gone')
      expect(response.headers['content-type']).toBe('Text/HTML; Charset="UTF-8"')
    })

    it("has a body that isn't a page only on request", async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-type', 'image/png').end(Buffer.alloc(100_000)),
      )
      const fetcher = open()
      const counted = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH })
      expect(counted.bytes).toBe(100_000)
      expect(counted.body).toBeUndefined()
      const kept = await fetcher.get({ url: `${url}/`, maxBody: ENOUGH, keepBody: true })
      expect(kept.body).toHaveLength(100_000)
    })

    it('has a body that may be a sitemap, up to a limit of its own', async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-type', 'text/xml').end(Buffer.alloc(1_000)),
      )
      const request = { url: `${url}/`, maxBody: 10 }
      const fetcher = open()
      expect(await fetcher.get({ ...request, maxSitemap: 2_000 })).toMatchObject({
        ...{ bytes: 1_000, truncated: false },
        body: Buffer.alloc(1_000),
      })
      const counted = await fetcher.get(request)
      expect(counted).toMatchObject({ bytes: 10, truncated: true })
      expect(counted.body).toBeUndefined()
    })

    it("has no body of a script, to which a seed's asset may redirect, even if sitemaps are read", async () => {
      const { url } = await serve((_, response) =>
        response.setHeader('content-type', 'text/javascript').end(Buffer.alloc(1_000)),
      )
      const counted = await open().get({ url: `${url}/`, maxBody: 10, maxSitemap: 2_000 })
      expect(counted).toMatchObject({ bytes: 10, truncated: true })
      expect(counted.body).toBeUndefined()
    })

    it('has at most as much of a body as the request allows', async () => {
      const { url } = await serve((_, response) => response.writeHead(200, HTML).end('12345'))
      const fetcher = open()
      const get = (maxBody: number) => fetcher.get({ url: `${url}/`, maxBody })
      expect(await get(5)).toMatchObject({ bytes: 5, truncated: false })
      expect(await get(4)).toMatchObject({ bytes: 4, truncated: true, body: Buffer.from('1234') })
      expect(await get(0)).toMatchObject({ bytes: 0, truncated: true })
    })

    it('has the start of an endless body', async () => {
      const chunk = Buffer.alloc(10_000, 'x')
      const { url } = await serve((_, response) => {
        response.writeHead(200, HTML)
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        more()
      })
      const response = await open().get({ url: `${url}/`, maxBody: 123_456 })
      expect(response).toMatchObject({ bytes: 123_456, truncated: true })
      expect(response.body).toHaveLength(123_456)
    })

    it('has at most as much as the request allows of a small body that decodes to a large one', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'))
      const { url } = await serve((_, response) =>
        response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(bomb),
      )
      const response = await open().get({ url: `${url}/`, maxBody: 1_000 })
      expect(response).toMatchObject({ bytes: 1_000, truncated: true })
      expect(response.body?.toString()).toBe('x'.repeat(1_000))
    })

    it.each(Object.entries(CODINGS))(
      'is decoded from the content coding %s',
      async (coding, encode) => {
        const { url } = await serve((_, response) =>
          response
            .writeHead(200, { ...HTML, 'content-encoding': coding })
            .end(encode('x'.repeat(1_000))),
        )
        const fetcher = open()
        const whole = await fetcher.get({ url: `${url}/`, maxBody: 1_000 })
        expect(whole).toMatchObject({ bytes: 1_000, truncated: false })
        expect(whole.body?.toString()).toBe('x'.repeat(1_000))
        const cut = await fetcher.get({ url: `${url}/`, maxBody: 999 })
        expect(cut).toMatchObject({ bytes: 999, truncated: true })
      },
    )

    it('uses the last valid one of several content types, as browsers do', async () => {
      const { url } = await serveRaw((socket) =>
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html; charset=gbk\r\n' +
            'Content-Length: 2\r\n\r\nok',
        ),
      )
      const { contentType } = await open().get({ url: `${url}/`, maxBody: ENOUGH })
      expect(contentType).toEqual({ type: 'text/html', charset: 'gbk' })
    })

    it('is the final one after interim responses', async () => {
      const { url } = await serveRaw((socket) =>
        socket.end(
          'HTTP/1.1 102 Processing\r\n\r\n' +
            'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n' +
            'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok',
        ),
      )
      const response = await open().get({ url: `${url}/`, maxBody: ENOUGH })
      expect(response).toMatchObject({ status: 200, bytes: 2 })
    })

    it('has no body if the status allows none', async () => {
      const { url } = await serve((_, response) => void response.writeHead(204, HTML).end())
      const response = await open().get({ url: `${url}/`, maxBody: ENOUGH })
      expect(response).toMatchObject({ status: 204, bytes: 0, truncated: false })
    })

    it('to HEAD has headers only', async () => {
      const server = await serve((_, response) => response.writeHead(200, HTML).end('a page'))
      const response = await open().head({ url: `${server.url}/` })
      expect(response).toMatchObject({ status: 200, bytes: 0, contentType: { type: 'text/html' } })
      expect(response.body).toBeUndefined()
      expect(server.requests.map(({ method }) => method)).toEqual(['HEAD'])
    })

    it('says why its body broke off, or fails if another attempt follows', async () => {
      const { url } = await serveRaw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\npart'),
      )
      const fetcher = open()
      const request = { url: `${url}/`, maxBody: ENOUGH }
      const last = await fetcher.get({ ...request, mayRetry: false })
      expect(last).toMatchObject({ bytes: 4, truncated: true, endsEarly: true, status: 200 })
      expect(last.failure).toMatchObject({ name: 'FetchFailure', isTransient: true })
      const failure = { name: 'FetchFailure', isTransient: true, status: 200 }
      await expect(fetcher.get({ ...request, mayRetry: true })).rejects.toMatchObject(failure)
    })
  })

  describe(`a request of the fetcher ${name}`, () => {
    it('loads nothing else, whatever the page contains', async () => {
      const server = await serve((_, response) =>
        response.writeHead(200, { ...HTML, link: '</pushed.css>; rel=preload' }).end(GREEDY_PAGE),
      )
      const response = await open().get({ url: `${server.url}/`, maxBody: ENOUGH })
      expect(response.body?.toString()).toBe(GREEDY_PAGE)
      expect(server.requests.map(({ url }) => url)).toEqual(['/'])
    })

    it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
      const server = await serve((_, response) =>
        response.writeHead(status, { location: '/next', refresh: '0; url=/other' }).end(),
      )
      const response = await open().get({ url: `${server.url}/`, maxBody: ENOUGH })
      expect(response).toMatchObject({ status, headers: { location: '/next' } })
      expect(server.requests.map(({ url }) => url)).toEqual(['/'])
    })

    it('has the headers User-Agent, Accept, Accept-Encoding and Host, and no Referer', async () => {
      const server = await serve((_, response) => void response.end())
      const fetcher = open({ userAgent: USER_AGENT })
      await fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH })
      await fetcher.head({ url: `${server.url}/` })
      for (const { headers } of server.requests) {
        expect(headers['user-agent']).toMatch(/^orbweaver\/\d+\.\d+\.\d+ \(\+https:\/\/.+\)$/)
        expect(headers['accept-encoding']).toBe('gzip, deflate, br, zstd')
        expect(headers.accept).toContain('text/html')
        expect(headers.host).toBe(server.url.slice('http://'.length))
        expect(headers.referer).toBeUndefined()
      }
    })

    it('sends path and query unchanged', async () => {
      const server = await serve((_, response) => void response.end())
      await open().get({ url: `${server.url}/a%20b/;c?d=%E2%82%AC&e`, maxBody: ENOUGH })
      expect(server.requests[0]?.url).toBe('/a%20b/;c?d=%E2%82%AC&e')
    })

    it("sends the user's headers and the login to their origins only", async () => {
      const [ours, port, host] = await Promise.all([
        serve((_, response) => void response.end()),
        serve((_, response) => void response.end()),
        serve((_, response) => void response.end(), '127.0.0.2'),
      ])
      const fetcher = open({
        ...{ headers: { 'X-Key': 'secret' }, headerOrigins: [ours.url] },
        authorizations: { [ours.url]: 'Basic YTpi' },
      })
      for (const { url } of [ours, port, host]) {
        await fetcher.get({ url: `${url}/`, maxBody: ENOUGH })
        await fetcher.head({ url: `${url}/` })
      }
      for (const { headers } of ours.requests) {
        expect(headers).toMatchObject({ 'x-key': 'secret', authorization: 'Basic YTpi' })
      }
      for (const { headers } of [...port.requests, ...host.requests]) {
        expect([headers['x-key'], headers.authorization]).toEqual([undefined, undefined])
      }
    })

    it('has the headers of the page that it is for', async () => {
      const server = await serve((_, response) => void response.end())
      const pageHeaders = { origin: 'https://one.test', accept: 'application/json' }
      await open().get({ url: `${server.url}/`, maxBody: ENOUGH, pageHeaders })
      expect(server.requests[0]?.headers).toMatchObject(pageHeaders)
    })

    it('carries no secrets if a page of another site makes it', async () => {
      const server = await serve((_, response) => void response.end())
      const fetcher = open({
        ...{ headers: { 'X-Key': 'secret' }, headerOrigins: [server.url] },
        authorizations: { [server.url]: 'Basic YTpi' },
      })
      await fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH, isCrossSite: true })
      const { headers } = server.requests[0] ?? {}
      expect([headers?.['x-key'], headers?.authorization]).toEqual([undefined, undefined])
      expect(headers?.['user-agent']).toEqual(expect.any(String))
    })

    it("lets the user's headers replace its own, in any case", async () => {
      const server = await serve((_, response) => void response.end())
      const headers = { 'USER-AGENT': 'mine', 'Accept-Encoding': 'identity' }
      const fetcher = open({ headers, headerOrigins: [server.url] })
      await fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH })
      expect(server.requests[0]?.headers).toMatchObject({
        'user-agent': 'mine',
        'accept-encoding': 'identity',
      })
    })

    it('gets a body only if the content has changed', async () => {
      const server = await serve((_, response) => void response.writeHead(304).end())
      const before = { etag: '"a"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' }
      const response = await open().get({ url: `${server.url}/`, maxBody: ENOUGH, before })
      expect(response).toMatchObject({ status: 304, bytes: 0 })
      expect(server.requests[0]?.headers).toMatchObject({
        'if-none-match': before.etag,
        'if-modified-since': before.lastModified,
      })
    })

    it('adds cookies to those of the headers, and stores those of all responses', async () => {
      const server = await serve(({ url }, response) =>
        response
          .writeHead(200, {
            ...{ 'set-cookie': ['a=1', 'b=2'], location: '/', 'content-type': 'text/html' },
            ...(url === '/broken' && { 'content-encoding': 'gzip' }),
          })
          .end('no gzip'),
      )
      const stored: unknown[] = []
      const jar = {
        headerFor: (url: string) => (url.endsWith('/c') ? 'c=3' : undefined),
        store: (...args: readonly unknown[]) => void stored.push(args),
      }
      const fetcher = open({ headers: { Cookie: 'own=0' }, headerOrigins: [server.url] }, jar)
      await fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH })
      await fetcher.head({ url: `${server.url}/c` })
      const broken = fetcher.get({ url: `${server.url}/broken`, maxBody: ENOUGH })
      await expect(broken).rejects.toMatchObject({ code: 'invalid-content-coding', status: 200 })
      const cookies = server.requests.map(({ headers }) => headers.cookie)
      expect(cookies).toEqual(['own=0', 'own=0; c=3', 'own=0'])
      const urls = ['/', '/c', '/broken'].map((path) => `${server.url}${path}`)
      expect(stored).toEqual(urls.map((url) => [url, ['a=1', 'b=2']]))
    })

    it('times out, however many requests wait', async () => {
      const server = await serve(() => {})
      const fetcher = open({ timeout: 200, concurrency: 2 })
      const failures = await Promise.allSettled(
        [1, 2, 3, 4].map((page) => fetcher.get({ url: `${server.url}/${page}`, maxBody: ENOUGH })),
      )
      const reasons = failures.map((each) => each.status === 'rejected' && each.reason)
      const late = { name: 'FetchFailure', code: 'timeout', isTransient: true }
      expect(reasons).toMatchObject(Array(4).fill(late))
    })

    it('fails if the fetcher is closed', async () => {
      const server = await serve(() => {})
      const fetcher = open()
      const failed = expect(
        fetcher.get({ url: `${server.url}/`, maxBody: ENOUGH }),
      ).rejects.toMatchObject({ name: 'FetchFailure' })
      await expect.poll(() => server.requests.length).toBe(1)
      await fetcher.close()
      await failed
    })

    it("fails with a message if the connection is refused or the host doesn't exist", async () => {
      const closed = await serve(() => {})
      await closed.close()
      const noName = Object.assign(new Error('no'), { code: 'ENOTFOUND', hostname: 'no.test' })
      const fetcher = open({ resolver: () => Promise.reject(noName) })
      const failureOf = (url: string) => fetcher.get({ url, maxBody: 1 }).catch((error) => error)
      expect(await failureOf(`${closed.url}/`)).toMatchObject({
        ...{ name: 'FetchFailure', code: 'connection-refused', isTransient: true },
      })
      expect(await failureOf('http://no.test/')).toMatchObject({
        ...{ name: 'FetchFailure', code: 'dns-failure', isTransient: false },
      })
    })
  })

  describe(`the fetcher ${name} without --allow-private`, () => {
    it.each(['127.0.0.1', 'localhost', 'private.test'])(
      'refuses the private host %s',
      async (host) => {
        const server = await serveRaw((socket) => socket.end())
        const resolver = async () => [{ address: '127.0.0.1', family: 4 }]
        const fetcher = open({ allowPrivate: false, resolver })
        const url = `http://${host}:${server.port}/`
        const refused = { name: 'FetchFailure', code: 'private-address', isTransient: false }
        await expect(fetcher.get({ url, maxBody: ENOUGH })).rejects.toMatchObject(refused)
        await expect(fetcher.head({ url })).rejects.toMatchObject(refused)
        expect(server.connections).toBe(0)
      },
    )

    it('refuses ports that browsers refuse', async () => {
      const refused = { name: 'FetchFailure', code: 'bad-port', isTransient: false }
      const fetcher = open()
      const url = 'http://127.0.0.1:6667/'
      await expect(fetcher.get({ url, maxBody: ENOUGH })).rejects.toMatchObject(refused)
      await expect(fetcher.head({ url })).rejects.toMatchObject(refused)
    })
  })
}
