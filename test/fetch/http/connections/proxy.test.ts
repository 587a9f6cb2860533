import { createServer } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { archiveExchange } from '../../../../src/warc/archive-exchange.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { startHttpProxy } from '../../../support/http-proxy.ts'
import { freePort, listen } from '../../../support/listen.ts'
import { startRawServer } from '../../../support/raw-server.ts'
import { startSocks5Server } from '../../../support/socks5-server.ts'
import { ENOUGH, openTestFetcher } from '../../open-test-fetcher.ts'

const certificate = await selfSigned()

async function closing<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting
  onTestFinished(() => server.close())
  return server
}

const site = (tls = false) =>
  closing(
    startRawServer(
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
      tls ? certificate : undefined,
    ),
  )

const httpProxy = (options?: Parameters<typeof startHttpProxy>[0]) =>
  closing(startHttpProxy(options))
const socks5 = (options?: Parameters<typeof startSocks5Server>[0]) =>
  closing(startSocks5Server(options))

const get = (url: string, proxy: string, options: Parameters<typeof openTestFetcher>[0] = {}) =>
  openTestFetcher({
    proxies: oneProxy(proxy),
    insecure: true,
    allowPrivate: false,
    ...options,
  }).get({
    url,
    maxBody: ENOUGH,
    keepBody: true,
  })

const oneProxy = (url: string) => ({ http: url, https: url, except: [], exceptLoopback: false })

/** Starts a server that answers each connection with the returned text, or closes it. */
async function serveAnswers(answer: (bytes: Buffer) => string | undefined) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const text = answer(bytes)
      if (text === undefined) socket.destroy()
      else if (text !== '') socket.end(text)
    })
  })
  onTestFinished(() => void server.close())
  return listen(server)
}

describe('an HTTP proxy', () => {
  it('gets whole URLs over http, and resolves names', async () => {
    const [{ port, heads }, proxy] = await Promise.all([site(), httpProxy()])
    const answer = await get(`http://site.test:${port}/a?b`, proxy.url)
    expect(answer.body?.toString()).toBe('hello')
    expect(proxy.requests).toEqual([`GET http://site.test:${port}/a?b`])
    expect(heads[0]).toMatch(new RegExp(`^host: site\\.test:${port}$`, 'im'))
  })

  it('gets a request for a tunnel over https', async () => {
    const [{ port, heads }, proxy] = await Promise.all([site(true), httpProxy()])
    const answer = await get(`https://site.test:${port}/a`, proxy.url)
    expect(answer.body?.toString()).toBe('hello')
    expect(proxy.requests).toEqual([`CONNECT site.test:${port}`])
    expect(heads[0]).toMatch(/^GET \/a HTTP/)
  })

  it('may use TLS itself', async () => {
    const proxy = await httpProxy({ certificate })
    const [plain, secure] = await Promise.all([site(), site(true)])
    for (const url of [`http://site.test:${plain.port}/`, `https://site.test:${secure.port}/`]) {
      expect((await get(url, proxy.url)).body?.toString()).toBe('hello')
    }
    expect(proxy.requests).toHaveLength(2)
  })

  it('is not taken for the server in an archive', async () => {
    const [plain, secure, proxy] = await Promise.all([site(), site(true), httpProxy()])
    for (const url of [`http://site.test:${plain.port}/`, `https://site.test:${secure.port}/`]) {
      const { exchange } = await get(url, proxy.url, { archive: archiveExchange })
      const record = gunzipSync(exchange?.response ?? '').toString('latin1')
      expect(record).toContain('hello')
      expect(record).not.toContain('WARC-IP-Address')
    }
  })

  it("gets its credentials, and the site doesn't", async () => {
    const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    const proxy = await httpProxy({ authorization })
    const [plain, secure] = await Promise.all([site(), site(true)])
    const url = proxy.url.replace('//', '//me:p%40ss@')
    await get(`http://site.test:${plain.port}/`, url)
    await get(`https://site.test:${secure.port}/`, url)
    expect([...plain.heads, ...secure.heads].join()).not.toMatch(/proxy-authorization/i)
  })

  it.each(['http', 'https'])(
    'fails with proxy-failure without the credentials, over %s',
    async (scheme) => {
      const proxy = await httpProxy({ authorization: 'Basic x' })
      await expect(get(`${scheme}://site.test:8009/`, proxy.url)).rejects.toMatchObject({
        code: 'proxy-failure',
        message: 'the proxy requires authentication, or refuses these credentials (status 407)',
        isTransient: false,
      })
    },
  )

  it.each([403, 405, 500])(
    'fails with proxy-failure after status %i to CONNECT',
    async (status) => {
      const proxy = await httpProxy({ status })
      await expect(get('https://site.test:8009/', proxy.url)).rejects.toMatchObject({
        code: 'proxy-failure',
        isTransient: false,
      })
    },
  )

  it("fails with connection-failed if it can't reach the site", async () => {
    const proxy = await httpProxy()
    const url = `https://site.test:${await freePort()}/`
    await expect(get(url, proxy.url)).rejects.toMatchObject({
      code: 'connection-failed',
      isTransient: true,
    })
  })

  it('may send interim responses before the one to CONNECT', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nA: b\r\n\r\n'
    const [{ port }, proxy] = await Promise.all([site(true), httpProxy({ interim })])
    expect((await get(`https://site.test:${port}/`, proxy.url)).body?.toString()).toBe('hello')
  })

  it('may end the lines of its response to CONNECT with LF only', async () => {
    const port = await serveAnswers(() => 'HTTP/1.0 405\nA: b\n\n')
    await expect(get('https://site.test/', `http://127.0.0.1:${port}`)).rejects.toMatchObject({
      message: 'the proxy answered 405 to CONNECT site.test:443',
    })
  })

  it('fails with proxy-failure if it sends interim responses without end', async () => {
    const port = await serveAnswers(() => 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10_000))
    await expect(get('https://site.test/', `http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'proxy-failure',
      message: expect.stringContaining('longer than'),
    })
  })

  it('closes the tunnel if TLS can not begin', async () => {
    const [{ port }, proxy] = await Promise.all([site(true), httpProxy()])
    const origin = `https://site.test:${port}`
    const answer = get(`${origin}/`, proxy.url, {
      timeout: 500,
      headerOrigins: [origin],
      certificates: { client: { certificate: 'none', key: 'none' } },
    })
    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining('PEM') })
  })

  it('leaves TLS to the site and the client', async () => {
    const [{ port }, proxy] = await Promise.all([site(true), httpProxy()])
    const options = { insecure: false, allowPrivate: true }
    const answer = get(`https://127.0.0.1:${port}/`, proxy.url, options)
    await expect(answer).rejects.toMatchObject({ code: 'tls-failure', isTransient: false })
  })
})

describe('a SOCKS5 proxy', () => {
  it.each([
    ['http', 'site.test', 'site.test'],
    ['https', 'site.test', 'site.test'],
    ['http', '127.0.0.9', '127.0.0.9'],
    ['http', '[::1]', `${'0'.repeat(31)}1`],
  ])('sends %s to %s', async (scheme, host, requested) => {
    const [{ port }, proxy] = await Promise.all([site(scheme === 'https'), socks5()])
    const url = `${scheme}://${host}:${port}/`
    const answer = await get(url, proxy.url, { allowPrivate: true })
    expect(answer.body?.toString()).toBe('hello')
    expect(proxy.requests).toEqual([`${requested}:${port}`])
  })

  it('gets its credentials', async () => {
    const proxy = await socks5({ credentials: { username: 'me', password: 'p@ss' } })
    const { port } = await site()
    const url = (password: string) => proxy.url.replace('//', `//me:${password}@`)
    expect(await get(`http://site.test:${port}/`, url('p%40ss'))).toMatchObject({ status: 200 })
    for (const wrong of [url('other'), proxy.url]) {
      const failure = { code: 'proxy-failure', isTransient: false }
      await expect(get(`http://site.test:${port}/`, wrong)).rejects.toMatchObject(failure)
    }
  })

  it('may want no credentials although there are some', async () => {
    const [{ port }, proxy] = await Promise.all([site(), socks5()])
    const url = proxy.url.replace('//', '//me:secret@')
    expect(await get(`http://site.test:${port}/`, url)).toMatchObject({ status: 200 })
  })

  it.each([
    [1, 'proxy-failure', false],
    [2, 'proxy-failure', false],
    [3, 'connection-failed', true],
    [4, 'connection-failed', true],
    [5, 'connection-refused', true],
    [6, 'timeout', true],
    [8, 'proxy-failure', false],
  ])('answers %i, which fails with %s', async (reply, code, isTransient) => {
    const proxy = await socks5({ reply })
    const answer = get('http://site.test/', proxy.url)
    await expect(answer).rejects.toMatchObject({ code, isTransient })
  })
})

describe.each([
  ['http', 'http'],
  ['http', 'https'],
  ['https', 'http'],
  ['socks5', 'http'],
])('a proxy over %s, for a site over %s', (scheme, siteScheme) => {
  const failing = (port: number | undefined) =>
    get(`${siteScheme}://site.test:8009/`, `${scheme}://127.0.0.1:${port}`, { connectTimeout: 300 })

  it('fails with proxy-failure if the connection is refused', async () => {
    const failure = { code: 'proxy-failure', isTransient: true }
    await expect(failing(await freePort())).rejects.toMatchObject(failure)
  })

  it('fails without a long wait if it is silent or closes the connection', async () => {
    const isForwarded = scheme === 'http' && siteScheme === 'http'
    const silent = await serveAnswers(() => '')
    const rude = await serveAnswers(() => undefined)
    const code = isForwarded ? 'connection-reset' : 'proxy-failure'
    await expect(failing(rude)).rejects.toMatchObject({ code, isTransient: true })
    if (isForwarded) return // the timeout is that of the request
    await expect(failing(silent)).rejects.toMatchObject({ code, isTransient: true })
  })

  it("fails if it doesn't speak its protocol", async () => {
    const port = await serveAnswers(() => 'SSH-2.0-OpenSSH_9.6\r\n\r\n\r\n')
    const isForwarded = scheme === 'http' && siteScheme === 'http'
    const code = isForwarded ? 'invalid-response' : 'proxy-failure'
    await expect(failing(port)).rejects.toMatchObject({ code })
  })
})
