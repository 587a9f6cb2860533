import { createRequire } from 'node:module'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A record as read by the npm package `warc`, which shares no code with warcio. */
export interface WarcRecord {
  readonly protocol: string
  readonly headers: Readonly<Record<string, string>>
  readonly content: Buffer
}

/** Yields the records of an archive, or of a piece of one, in their order. */
export async function* recordsIn(coded: Readable): AsyncGenerator<WarcRecord> {
  // The package is installed by bench/package.json, and has no types.
  const WARCStream: new () => Transform = createRequire(import.meta.url)('warc')
  const records = pipeline(coded, createGunzip(), new WARCStream(), () => {})
  for await (const record of Readable.from(records)) yield record
}

/** Returns the bytes after the HTTP header. */
export function payloadOf({ content }: WarcRecord): Buffer {
  return content.subarray(content.indexOf('\r\n\r\n') + 4)
}
