import type { LookupFunction, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tlsConnector } from '../../../../src/fetch/http/connections/tls-connector.ts'
import { tlsContexts } from '../../../../src/fetch/http/connections/tls-contexts.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { listen } from '../../../support/listen.ts'

/** Starts a server that speaks both versions of HTTP. Returns its port. */
async function serve(onSecure = (_: TLSSocket) => {}): Promise<string> {
  const options = { ...(await selfSigned()), ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer(options, (socket) => onSecure(socket.on('error', () => {})))
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return `${port}`
}

const lookup: LookupFunction = (_, { all }, callback) =>
  all === true
    ? callback(null, [{ address: '127.0.0.1', family: 4 }])
    : callback(null, '127.0.0.1', 4)

function connect(
  port: string,
  { onlyHttp1 = false, hostname = '127.0.0.1' } = {},
): Promise<Socket> {
  const options = { timeout: 10_000, insecure: true, http2: true, tls: tlsContexts({}, []) }
  const connector = tlsConnector(options, { lookup })
  return new Promise((resolve, reject) => {
    const target = { protocol: 'https:', hostname, port, onlyHttp1 }
    connector(target, (...[error, socket]) => {
      if (error !== null) reject(error)
      else {
        onTestFinished(() => void socket.destroy())
        resolve(socket)
      }
    })
  })
}

describe('a TLS connection', () => {
  it.each([
    ['both versions of HTTP', false, 'h2'],
    ['HTTP/1.1', true, 'http/1.1'],
  ])('offers %s', async (_, onlyHttp1, chosen) => {
    const socket = await connect(await serve(), { onlyHttp1 })
    expect(socket).toMatchObject({ alpnProtocol: chosen })
  })

  it.each(['site.test', 'site.test.'])(
    'to %s names the host without a dot at its end',
    async (hostname) => {
      const { promise: name, resolve } = Promise.withResolvers<unknown>()
      await connect(await serve((socket) => resolve(Reflect.get(socket, 'servername'))), {
        hostname,
      })
      expect(await name).toBe('site.test')
    },
  )

  it("keeps only the few bytes of its ALPN offer in memory, not Node's 64 KiB", async () => {
    const socket = await connect(await serve())
    const { ALPNProtocols: offer } = Reflect.get(socket, '_tlsOptions')
    expect(offer).toEqual(Buffer.from('\x02h2\x08http/1.1'))
    expect(offer.buffer.byteLength).toBe(offer.length)
  })
})
