import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Returns a port of loopback on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}

/** By default, Linux assigns ports from 32768 on to sockets that ask for any. */
const [LEAST, MOST] = [10_000, 32_768]

/** Returns a free port that the system doesn't assign to other sockets, even while nothing listens there. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const server = createServer()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const port = randomInt(LEAST, MOST)
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    if (!(await promise)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Opens a free port, of loopback by default. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
