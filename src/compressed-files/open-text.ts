import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { decompressZstd } from './decompress-zstd.ts'

const CHUNK_BYTES = 2 ** 18

/** First bytes of compressed files, with functions that decompress them. */
const DECOMPRESSIONS = [
  {
    start: Buffer.from([0x1f, 0x8b]),
    decompress: (bytes: Readable): Readable => {
      const finishFlush = constants.Z_SYNC_FLUSH // an unfinished last member is no error
      // The returned stream reports errors.
      return pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES, finishFlush }), () => {})
    },
  },
  // A frame of zstd, and the skippable frame with which pzstd begins (RFC 8878, 3.1).
  ...[
    [0x28, 0xb5, 0x2f, 0xfd],
    [0x50, 0x2a, 0x4d, 0x18],
  ].map((start) => ({
    start: Buffer.from(start),
    decompress: (bytes: Readable): Readable =>
      Readable.from(decompressZstd(bytes, CHUNK_BYTES), { objectMode: false }),
  })),
]

/** Number of first bytes that tell the files apart. */
const START_BYTES = Math.max(...DECOMPRESSIONS.map(({ start }) => start.length))

/** The name of a text file, or an open stream, such as stdin, with a name for messages. */
export type TextSource =
  | string
  | { readonly name: string; readonly stream: AsyncIterable<string | Buffer> }

/** Returns the name of a source for messages. */
export function nameOfSource(source: TextSource): string {
  return typeof source === 'string' ? source : source.name
}

/**
 * Opens a text file in UTF-8, and decompresses it if its first bytes are those of gzip or zstd. A
 * killed crawl may leave an unfinished last member: its available text is returned.
 * @throws an error of the file system; the stream reports errors of the content
 */
export async function openText(source: TextSource): Promise<Readable> {
  // The first bytes are read from the stream, not by position, since the file may be a pipe.
  const chunks: AsyncIterator<Buffer> = bytesOf(source)[Symbol.asyncIterator]()
  const first = await readStart(chunks)
  const bytes = Readable.from(joined(first, chunks), { objectMode: false })
  const found = DECOMPRESSIONS.find(({ start }) => start.equals(first.subarray(0, start.length)))
  return (found?.decompress(bytes) ?? bytes).setEncoding('utf8')
}

/** Reads at least `START_BYTES`, or all bytes if there are fewer. */
async function readStart(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start: Buffer = Buffer.alloc(0)
  while (start.length < START_BYTES) {
    const { done, value } = await chunks.next()
    if (done === true) break
    start = Buffer.concat([start, value])
  }
  return start
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

function bytesOf(source: TextSource): Readable {
  if (typeof source === 'string') return createReadStream(source, { highWaterMark: CHUNK_BYTES })
  return Readable.from(source.stream, { objectMode: false })
}
