import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { zstdFrames } from './decompress-zstd.ts'

const CHUNK_BYTES = 2 ** 18

/** First bytes of compressed files, and how to read these. */
const DECOMPRESSIONS = [
  {
    start: Buffer.from([0x1f, 0x8b]),
    decompress: (bytes: Readable): Readable => {
      const finishFlush = constants.Z_SYNC_FLUSH // an unfinished last member is no error
      // The returned stream reports errors.
      return pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES, finishFlush }), () => {})
    },
  },
  {
    start: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
    decompress: (bytes: Readable): Readable =>
      Readable.from(zstdFrames(bytes, CHUNK_BYTES), { objectMode: false }),
  },
]

/** A text file by its name, or an open stream, such as stdin, with a name for messages. */
export type TextSource =
  | string
  | { readonly name: string; readonly stream: AsyncIterable<string | Buffer> }

/** Returns the name of a source for messages. */
export function nameOfSource(source: TextSource): string {
  return typeof source === 'string' ? source : source.name
}

/**
 * Opens a text file in UTF-8, decompressed where its first bytes are those of gzip or zstd. Of an
 * unfinished last member, which a killed crawl may leave, the text yields what is there.
 * @throws an error of the file system; the stream reports errors of the content
 */
export async function openText(source: TextSource): Promise<Readable> {
  const bytes = bytesOf(source)
  // Not by position, for the file may be a pipe.
  await once(bytes, 'readable')
  const first: Buffer | null = bytes.read()
  if (first === null) return bytes
  bytes.unshift(first)
  const found = DECOMPRESSIONS.find(({ start }) => start.equals(first.subarray(0, start.length)))
  return (found?.decompress(bytes) ?? bytes).setEncoding('utf8')
}

function bytesOf(source: TextSource): Readable {
  if (typeof source === 'string') return createReadStream(source, { highWaterMark: CHUNK_BYTES })
  return Readable.from(source.stream, { objectMode: false })
}
