import type { OnReadOpts } from 'node:net'

/** Bytes that a socket reads at a time. */
const READ_BYTES = 64 * 1_024

/**
 * All connections of this thread read into it: the bytes are parsed in the same turn of the event loop, before the next
 * read. With a buffer for each read, V8 would look through its heap every few megabytes, since it counts such memory.
 */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * Returns the option by which a socket reads into the shared buffer, and not into a stream.
 * @param take takes bytes, which the next read overwrites; false ends reading until `Socket.read` is called
 */
export function readsShared(take: (bytes: Buffer) => boolean): OnReadOpts {
  return { buffer: shared, callback: (count) => take(shared.subarray(0, count)) }
}
