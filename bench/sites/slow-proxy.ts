import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Milliseconds by which responses are delayed. */
const LATENCY_MS = 50

/** A proxy that forwards bytes to a server immediately, and its responses after `LATENCY_MS`, like a long line. */
export interface SlowProxy {
  readonly port: number
  close(): void
}

/** Starts a proxy in a process of its own, so that its cost doesn't count for a crawler. */
export async function startSlowProxy(target: number): Promise<SlowProxy> {
  const proxy = fork(import.meta.filename, [`${target}`])
  const kill = () => proxy.kill()
  process.once('exit', kill)
  const [port] = await once(proxy, 'message')
  const close = () => {
    process.off('exit', kill)
    kill()
  }
  return { port: Number(port), close }
}

async function run(target: number): Promise<void> {
  const server = createServer({ noDelay: true }, (client) => join(client, target))
  await once(server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }), 'listening')
  const address = server.address()
  process.send?.(address !== null && typeof address === 'object' ? address.port : 0)
}

function join(client: Socket, target: number): void {
  const server = connect({ port: target, host: '127.0.0.1', noDelay: true })
  client.pipe(server)
  server.on('data', (chunk) => setTimeout(() => client.write(chunk), LATENCY_MS))
  server.on('end', () => setTimeout(() => client.end(), LATENCY_MS))
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.on('close', () => setTimeout(() => other.destroy(), LATENCY_MS))
  }
}

if (process.argv[1] === import.meta.filename) await run(Number(process.argv[2]))
