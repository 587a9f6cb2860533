import { createServer, type Server } from 'node:net'

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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return { port: portOf(server), close: () => server.close() }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
