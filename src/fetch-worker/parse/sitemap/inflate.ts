import { setImmediate as nextTurn } from 'node:timers/promises'
import { createInflateRaw } from 'node:zlib'
import {
  deflateStreamOf,
  GZIP_TRAILER,
  isGzip,
  mayBeGzipMember,
} from '../../../compressed-files/gzip-header.ts'

/** Bytes of a piece. It is small, so that other work of the thread can run between two pieces. */
const PIECE_BYTES = 65_536

/** Maximum number of members. A file with more of them was made to waste time. */
const MAX_MEMBERS = 2_000

/**
 * Yields a file in pieces, decompressed if its content is gzip, whatever its name and type. It decompresses only as
 * much as the caller reads. A broken file yields its content up to the defect. Checksums are not verified.
 */
export async function* inflate(file: Buffer): AsyncGenerator<Buffer> {
  if (!isGzip(file)) return yield* piecesOf(file)
  let rest = file
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (!mayBeGzipMember(rest)) return
    const deflated = deflateStreamOf(rest)
    const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
    stream.end(deflated)
    try {
      for await (const piece of stream) yield piece
    } catch {
      return
    }
    rest = deflated.subarray(stream.bytesWritten + GZIP_TRAILER)
  }
}

async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += PIECE_BYTES) {
    yield file.subarray(start, start + PIECE_BYTES)
    await nextTurn()
  }
}
