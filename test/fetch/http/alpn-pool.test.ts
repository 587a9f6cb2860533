import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AlpnPool } from '../../../src/fetch/http/alpn-pool.ts'
import { plainConnector } from '../../../src/fetch/http/connections/direct-connector.ts'
import { KeptConnections } from '../../../src/fetch/http/connections/kept-connections.ts'
import { StaleConnectionError } from '../../../src/fetch/http/connections/stale-connection.ts'
import { tlsContexts } from '../../../src/fetch/http/connections/tls-contexts.ts'
import { selfSigned } from '../../support/certificates.ts'
import { serveHttp2 } from '../../support/http2-server.ts'
import { serveRaw } from '../../support/serve.ts'
import { dispatch, getFrom } from './http1/recorded-response.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const OPTIONS = { timeout: 10_000, insecure: true, http2: true, tls: tlsContexts({}, []) }
const PATHS = ['/1', '/2', '/3']

/**
 * Opens a pool that is destroyed with the test, and lists the sockets that it has opened.
 * @param place may set a port, to which all further connections are opened
 */
function open(perOrigin = 1, place: { port?: string } = {}) {
  const sockets: Socket[] = []
  const connect = plainConnector(OPTIONS)
  const pool = new AlpnPool({
    connect: (target, callback) =>
      connect({ ...target, ...place }, (...result) => {
        if (result[0] === null) sockets.push(result[1])
        callback(...result)
      }),
    ...{ perOrigin, kept: new KeptConnections(10), onRead: undefined },
  })
  onTestFinished(() => pool.destroy())
  return { pool, sockets }
}

const answer = (socket: Socket) => socket.write(ANSWER)

/** Starts an HTTP/2 server whose responses are the paths of the requests. */
const serveOwnPaths = () =>
  serveHttp2((stream, path) => {
    stream.respond({ ':status': 200 })
    stream.end(path)
  })

describe('a server that has chosen HTTP/2', () => {
  it('gets requests from before its choice on its first connection', async () => {
    const server = await serveOwnPaths()
    const { pool, sockets } = open(3)
    const bodies = await Promise.all(PATHS.map((path) => getFrom(pool, server.url, { path })))
    expect(bodies).toEqual(PATHS)
    expect(await getFrom(pool, server.url, { path: '/4' })).toBe('/4')
    expect(server.sessions.size).toBe(1)
    expect(sockets).toHaveLength(1)
  })

  it('gets later requests on a new connection after idle ones were closed', async () => {
    const server = await serveOwnPaths()
    const { pool, sockets } = open()
    await getFrom(pool, server.url)
    pool.closeIdle()
    expect(await getFrom(pool, server.url, { path: '/2' })).toBe('/2')
    expect(sockets).toHaveLength(2)
  })

  it('may choose HTTP/1.1 later: the next request fails as stale, and those after it succeed', async () => {
    const { url } = await serveOwnPaths()
    const place: { port?: string } = {}
    const { pool } = open(1, place)
    await getFrom(pool, url)
    pool.closeIdle()
    place.port = new URL((await serveRaw(answer, await selfSigned())).url).port
    await expect(getFrom(pool, url)).rejects.toThrow(StaleConnectionError)
    expect(await getFrom(pool, url)).toBe('ok')
  })
})

describe('a server that has chosen HTTP/1.1', () => {
  it.each([
    ['by TLS', selfSigned],
    ['without TLS', undefined],
  ])('%s gets requests from before its choice in order', async (_, certificate) => {
    const server = await serveRaw(answer, await certificate?.())
    const { pool, sockets } = open()
    const bodies = PATHS.map((path) => getFrom(pool, server.url, { path }))
    expect(await Promise.all(bodies)).toEqual(['ok', 'ok', 'ok'])
    expect(server.heads.map((head) => head.split(' ')[1])).toEqual(PATHS)
    expect(sockets).toHaveLength(1)
  })

  it('may choose HTTP/2 later: the next request fails, and those after it succeed', async () => {
    const { url } = await serveRaw(answer, await selfSigned())
    const place: { port?: string } = {}
    const { pool } = open(1, place)
    await getFrom(pool, url)
    pool.closeIdle()
    place.port = `${(await serveOwnPaths()).port}`
    const failure = { code: 'connection-reset', isTransient: true }
    await expect(getFrom(pool, url)).rejects.toMatchObject(failure)
    expect(await getFrom(pool, url, { path: '/2' })).toBe('/2')
  })
})

describe('a host whose nodes choose differently', () => {
  it('gets all requests with the first choice', async () => {
    const [http2, http1] = [await serveOwnPaths(), await serveRaw(answer, await selfSigned())]
    const offers: unknown[] = []
    let connections = 0
    const connect = plainConnector(OPTIONS)
    const pool = new AlpnPool({
      connect(target, callback) {
        // The first node chooses HTTP/1.1; the others choose whatever is offered.
        offers.push(target.onlyHttp1 === true)
        const isHttp1 = connections++ === 0 || target.onlyHttp1 === true
        connect({ ...target, port: new URL((isHttp1 ? http1 : http2).url).port }, callback)
      },
      ...{ perOrigin: 3, kept: new KeptConnections(10), onRead: undefined },
    })
    onTestFinished(() => pool.destroy())
    const bodies = PATHS.map((path) => getFrom(pool, http1.url, { path }))
    expect(await Promise.all(bodies)).toEqual(['ok', 'ok', 'ok'])
    expect(offers[0]).toBe(false)
    expect(offers.slice(1).every((isOnly) => isOnly)).toBe(true)
  })
})

describe('a pool for both protocol versions', () => {
  it.each(['http://127.0.0.1:9', 'https://127.0.0.1:9'])(
    'fails all requests that wait for %s if the connection is refused',
    async (url) => {
      const { pool } = open()
      const failures = PATHS.map((path) => getFrom(pool, url, { path }).catch(({ code }) => code))
      expect(await Promise.all(failures)).toEqual(Array(3).fill('ECONNREFUSED'))
    },
  )

  it('fails a request with an invalid path', async () => {
    const { pool } = open()
    const send = async () => getFrom(pool, 'http://127.0.0.1:9', { path: '/a b' })
    await expect(send()).rejects.toThrow('invalid request path')
    const server = await serveRaw(answer, await selfSigned())
    await expect(getFrom(pool, server.url, { path: '/a b' })).rejects.toThrow('invalid request')
    expect(await getFrom(pool, server.url)).toBe('ok')
  })

  it('fails requests when it is destroyed, even those on connections that are about to close', async () => {
    const begun = Promise.withResolvers<void>()
    const server = await serveHttp2(() => begun.resolve())
    const { pool, sockets } = open()
    const response = dispatch(pool, server.url)
    await begun.promise
    pool.closeIdle()
    await pool.destroy()
    pool.closeIdle()
    await expect(response.whole).rejects.toThrow('the fetcher was closed')
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it.each([
    ['without TLS', async () => undefined],
    ['by TLS', selfSigned],
  ])('fails requests when it is destroyed before it is connected, %s', async (_, certificate) => {
    const server = await serveRaw(() => {}, await certificate())
    const { pool, sockets } = open()
    const response = dispatch(pool, server.url)
    await pool.destroy()
    await expect(response.whole).rejects.toThrow()
    await expect(getFrom(pool, server.url)).rejects.toThrow('the fetcher was closed')
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })
})
