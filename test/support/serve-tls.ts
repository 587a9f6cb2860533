import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface TlsServerOptions extends ServerOptions {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => unknown
}

/** Starts a TLS site that is closed with the test, and records which of its connections resumed a session. */
export async function serveTls({ answer, ...options }: TlsServerOptions) {
  const resumed: boolean[] = []
  const server = createServer(options, (request, response) => void answer(request, response))
  server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, resumed, server }
}
