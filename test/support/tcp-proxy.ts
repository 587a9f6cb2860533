import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** A port that forwards to a server, which may be changed later, with an optional delay. */
export interface TcpProxy {
  readonly port: number
  /** Port to which new connections lead. */
  target: number
  /** Milliseconds by which each reply is delayed. */
  delay: number
  /** Ends all connections. */
  cut(): void
  close(): Promise<void>
}

/** Opens a port of loopback that forwards to another one. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const far = connect(proxy.target, '127.0.0.1')
    for (const [socket, other] of [
      [client, far],
      [far, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
    }
    client.on('data', (data) => void far.write(data))
    far.on('data', (data) => {
      if (proxy.delay === 0) client.write(data)
      else setTimeout(() => client.write(data), proxy.delay)
    })
  })
  const port = await listen(server)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const proxy = {
    ...{ port, target, delay: 0, cut },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
  return proxy
}
