import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tlsConnector } from '../../../../src/fetch/http/connections/tls-connector.ts'
import { TlsContext } from '../../../../src/fetch/http/connections/tls-contexts.ts'
import { selfSigned } from '../../../support/certificates.ts'
import { listen } from '../../../support/listen.ts'

/** Starts a server that speaks both versions of HTTP. Returns its port. */
async function serve(): Promise<string> {
  const options = { ...(await selfSigned()), ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer(options, (socket) => socket.on('error', () => {}))
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return `${port}`
}

function connect(port: string, { onlyHttp1 = false } = {}): Promise<Socket> {
  const options = { timeout: 10_000, insecure: true, http2: true, lookup: undefined }
  const connector = tlsConnector(options, new TlsContext())
  return new Promise((resolve, reject) => {
    const target = { protocol: 'https:', hostname: '127.0.0.1', port, onlyHttp1 }
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

  it("keeps only the few bytes of its ALPN offer in memory, not Node's 64 KiB", async () => {
    const socket = await connect(await serve())
    const { ALPNProtocols: offer } = Reflect.get(socket, '_tlsOptions')
    expect(offer).toEqual(Buffer.from('\x02h2\x08http/1.1'))
    expect(offer.buffer.byteLength).toBe(offer.length)
  })
})
