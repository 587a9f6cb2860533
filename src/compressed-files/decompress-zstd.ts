import type { Readable } from 'node:stream'
import { constants, createZstdDecompress, type ZstdDecompress } from 'node:zlib'

/**
 * Yields the decompressed bytes of zstd frames. Node 22 ends its stream after one frame, so each
 * frame may need a new stream. An unfinished last frame is not an error.
 */
export async function* decompressZstd(bytes: Readable, chunkSize: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = bytes.iterator()
  let rest: Buffer | undefined = Buffer.alloc(0)
  while (rest !== undefined) {
    const frame = createZstdDecompress({ chunkSize, finishFlush: constants.ZSTD_e_flush })
    const fed = feed(frame, rest, chunks)
    fed.catch(() => {}) // the frame reports errors
    yield* frame
    rest = await fed
  }
}

/** Writes bytes until the stream accepts no more. Returns the rest, or undefined at the end of the input. */
async function feed(
  frame: ZstdDecompress,
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
): Promise<Buffer | undefined> {
  for (let chunk: Buffer | undefined = first; chunk !== undefined; chunk = await next(chunks)) {
    const taken = await write(frame, chunk)
    if (taken < chunk.length) return chunk.subarray(taken)
  }
  frame.end()
  return undefined
}

async function next(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await chunks.next()
  return done === true ? undefined : value
}

/** Writes a chunk. Returns the number of bytes that the stream accepted. */
function write(frame: ZstdDecompress, chunk: Buffer): Promise<number> {
  const before = frame.bytesWritten
  return new Promise((resolve, reject) => {
    frame.write(chunk, (error) => {
      if (error instanceof Error) reject(error)
      else resolve(frame.bytesWritten - before)
    })
  })
}
