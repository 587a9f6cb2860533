import type { OnReadOpts, Socket } from 'node:net'
import type { Connector } from './connector.ts'

/** Bytes that a socket reads at a time. */
const READ_BYTES = 64 * 1_024

/**
 * All connections of this thread read into it: the bytes are parsed in the same turn of the event loop, before the next
 * read. With a buffer for each read, V8 would look through its heap every few megabytes, since it counts such memory.
 */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/** Takes bytes that a socket has read; the next read overwrites them. */
type TakeBytes = (bytes: Buffer) => void

interface Feed {
  take?: TakeBytes
}

/** The feeds of sockets that read into the shared buffer. */
const feeds = new WeakMap<Socket, Feed>()

/**
 * Returns a connector whose sockets read into the shared buffer, and not into a stream.
 * @param connectWith returns a connector for sockets with this option
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

/** Has a function called with the bytes that a socket reads, whether into the shared buffer or by a stream. */
export function readFrom(socket: Socket, take: TakeBytes): void {
  const feed = feeds.get(socket)
  if (feed === undefined) socket.on('data', take)
  else feed.take = take
}
