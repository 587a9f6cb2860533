import { createRequire } from 'node:module'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A record as the npm package `warc` reads it, which shares no code with warcio. */
export interface WarcRecord {
  readonly protocol: string
  readonly headers: Readonly<Record<string, string>>
  readonly content: Buffer
}

/** Records of an archive, or of a piece of one, in their order. */
export async function* recordsIn(coded: Readable): AsyncGenerator<WarcRecord> {
  // It comes with bench/package.json, and without types.
  const WARCStream: new () => Transform = createRequire(import.meta.url)('warc')
  const records = pipeline(coded, createGunzip(), new WARCStream(), () => {})
  for await (const record of Readable.from(records)) yield record
}

/** What stands behind the header of HTTP. */
export function payloadOf({ content }: WarcRecord): Buffer {
  return content.subarray(content.indexOf('\r\n\r\n') + 4)
}
