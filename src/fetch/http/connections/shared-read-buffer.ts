import type { OnReadOpts } from 'node:net'

/** Bytes that a socket reads at a time. */
const READ_BYTES = 64 * 1_024

/**
 * What the connections of this thread read, until it is parsed in the same turn. A buffer for each read would be
 * garbage outside of V8's heap, which V8 looks through whenever there are a few megabytes of that.
 */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * Returns the option by which a socket reads into the shared buffer, and not into a stream.
 * @param take takes bytes, which the next read overwrites; false ends reading until `Socket.read` is called
 */
export function readsShared(take: (bytes: Buffer) => boolean): OnReadOpts {
  return { buffer: shared, callback: (count) => take(shared.subarray(0, count)) }
}
