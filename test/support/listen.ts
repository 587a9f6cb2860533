import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A port of loopback on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}

/** The system gives ports from 32768 on to whoever asks for any, by Linux's default. */
const [LEAST, MOST] = [10_000, 32_768]

/** A free port that the system gives to no connection and no server that asks for any, also while nothing listens there. */
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

/** Opens a free port of loopback. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
