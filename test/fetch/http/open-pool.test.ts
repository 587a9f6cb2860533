import { describe, expect, it, onTestFinished } from 'vitest'
import { plainConnector } from '../../../src/fetch/http/connections/direct-connector.ts'
import { KeptConnections } from '../../../src/fetch/http/connections/kept-connections.ts'
import { tlsContexts } from '../../../src/fetch/http/connections/tls-contexts.ts'
import { openPool } from '../../../src/fetch/http/open-pool.ts'
import { serveHttp2 } from '../../support/http2-server.ts'
import { serveRaw } from '../../support/serve.ts'
import { dispatch, getFrom } from './http1/recorded-response.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

function open(http2: boolean) {
  const connectOptions = { timeout: 10_000, insecure: true, tls: tlsContexts({}, []) }
  const pool = openPool(
    {
      connect: plainConnector({ ...connectOptions, http2 }),
      perOrigin: 1,
      kept: new KeptConnections(10),
      onRead: undefined,
    },
    http2,
  )
  onTestFinished(() => pool.destroy())
  return pool
}

describe.each([false, true])('a pool whose servers may choose HTTP/2: %s', (http2) => {
  it('sends requests that come before it is ready, in their order', async () => {
    const server = await serveRaw((socket) => socket.write(ANSWER))
    const pool = open(http2)
    const paths = ['/1', '/2', '/3']
    const bodies = paths.map((path) => getFrom(pool, server.url, { path }))
    expect(await Promise.all(bodies)).toEqual(['ok', 'ok', 'ok'])
    expect(server.heads.map((head) => head.split(' ')[1])).toEqual(paths)
    expect(server.connections).toBe(1)
  })

  it('fails a request that it can not write', async () => {
    const pool = open(http2)
    const send = async () => getFrom(pool, 'http://127.0.0.1:9', { path: '/a b' })
    await expect(send()).rejects.toThrow('invalid request path')
  })

  it('fails requests when it is destroyed, however early', async () => {
    const server = await serveRaw(() => {})
    const pool = open(http2)
    const response = dispatch(pool, server.url)
    await pool.destroy()
    await expect(response.whole).rejects.toThrow()
  })

  it('closes idle connections, and opens new ones', async () => {
    const server = await serveRaw((socket) => socket.write(ANSWER))
    const pool = open(http2)
    pool.closeIdle()
    await getFrom(pool, server.url)
    pool.closeIdle()
    await getFrom(pool, server.url)
    expect(server.connections).toBe(2)
  })

  it('speaks no other version with servers that have HTTP/2 alone', async () => {
    const server = await serveHttp2((stream) =>
      stream.respond({ ':status': 200 }, { endStream: true }),
    )
    const response = await getFrom(open(http2), server.url).catch((error: Error) => error)
    if (http2) expect(response).toBe('')
    else expect(response).toMatchObject({ code: expect.stringContaining('APPLICATION_PROTOCOL') })
  })
})
