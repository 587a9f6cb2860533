import type { OnReadOpts, Socket } from 'node:net'
import type { Connector } from './connector.ts'

/** Maximum bytes that a socket reads at a time. */
const READ_BYTES = 64 * 1_024

/**
 * The buffer into which all connections of this thread read. The bytes are parsed in the same turn of the event loop,
 * before the next read. With a new buffer for each read, V8 would collect garbage every few megabytes, since it counts
 * the memory of buffers.
 */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/** Processes bytes that a socket has read. The next read overwrites them. */
type TakeBytes = (bytes: Buffer) => void

interface Feed {
  take?: TakeBytes
}

/** The feeds of sockets that read into the shared buffer. */
const feeds = new WeakMap<Socket, Feed>()

/**
 * Returns a connector whose sockets read into the shared buffer instead of a stream.
 * @param connectWith returns a connector whose sockets have this option
 */
export function sharedReads(connectWith: (onread: OnReadOpts) => Connector): Connector {
  return (target, callback) => {
    const feed: Feed = {}
    const onread = {
      buffer: shared,
      callback(count: number) {
        feed.take?.(shared.subarray(0, count))
        return true
      },
    }
    return connectWith(onread)(target, (...result) => {
      if (result[0] === null) feeds.set(result[1], feed)
      callback(...result)
    })
  }
}

/** Calls `take` with the bytes that a socket reads, either into the shared buffer or by a stream. */
export function readFrom(socket: Socket, take: TakeBytes): void {
  const feed = feeds.get(socket)
  if (feed === undefined) socket.on('data', take)
  else feed.take = take
}
