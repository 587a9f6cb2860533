import { setImmediate as nextTurn } from 'node:timers/promises'
import { createInflateRaw } from 'node:zlib'
import { deflateStreamOf, isGzip } from '../../../compressed-files/gzip-header.ts'

/** Bytes of a piece: small, so that the other work of the thread gets its turn in between. */
const PIECE = 65_536

/** Header and trailer of a gzip member (RFC 1952, 2.3), and the shortest deflate stream. */
const SHORTEST_MEMBER = 20
const TRAILER = 8

/** A file of more members than this is one made to waste time. */
const MAX_MEMBERS = 2_000

/**
 * A file in pieces, inflated when it is gzip, whatever its name and type: no more than what is
 * asked for. What is broken gives what comes before the break; checksums are not verified.
 */
export async function* inflate(file: Buffer): AsyncGenerator<Buffer> {
  if (!isGzip(file)) return yield* piecesOf(file)
  let rest = file
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (rest.length < SHORTEST_MEMBER || !isGzip(rest)) return
    const deflated = deflateStreamOf(rest)
    const stream = createInflateRaw({ chunkSize: PIECE })
    stream.end(deflated)
    try {
      for await (const piece of stream) yield piece
    } catch {
      return
    }
    rest = deflated.subarray(stream.bytesWritten + TRAILER)
  }
}

async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += PIECE) {
    yield file.subarray(start, start + PIECE)
    await nextTurn()
  }
}
