import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Reads the next `count` bytes. Further bytes stay in the socket. Rejects if the connection ends before. */
export async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let missing = count; missing > 0; ) {
    if (socket.destroyed) throw socket.errored ?? new Error('the connection was closed')
    // If bytes were left unread, `readable` would be emitted again and again, before any timer or other socket.
    const bytes: unknown = socket.read(Math.min(missing, Math.max(1, socket.readableLength)))
    if (Buffer.isBuffer(bytes)) {
      pieces.push(bytes)
      missing -= bytes.length
    } else if (socket.readableEnded) throw new Error('the connection was closed')
    else await once(socket, 'readable')
  }
  return Buffer.concat(pieces)
}
