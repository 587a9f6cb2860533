import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A proxy that refuses every connection. All connections of the browser that bypass the crawler end here. */
export interface RefusingProxy {
  readonly port: number
  close(): void
}

export async function openRefusingProxy(): Promise<RefusingProxy> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, close: () => server.close() }
}
