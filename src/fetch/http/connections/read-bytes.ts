import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Reads the next `count` bytes. Further bytes stay in the socket. Rejects if the connection ends before. */
export async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    if (socket.destroyed) throw socket.errored ?? new Error('the connection was closed')
    const bytes: unknown = socket.read(count)
    if (Buffer.isBuffer(bytes) && bytes.length === count) return bytes
    if (socket.readableEnded || Buffer.isBuffer(bytes)) throw new Error('the connection was closed')
    await once(socket, 'readable')
  }
}
