import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CDXIndexer, WARCParser } from 'warcio'

/** A record as warcio reads it. */
export interface ReadRecord {
  readonly type: string | null
  readonly url: string | null
  /** Status line or request line, and the HTTP header. */
  readonly head: string
  readonly payload: Buffer
  field(name: string): string | null
}

/** Returns all records of an archive except its description. */
export async function readWarc(file: string): Promise<ReadRecord[]> {
  const records: ReadRecord[] = []
  for await (const record of new WARCParser(createReadStream(file), { keepHeadersCase: true })) {
    const payload = Buffer.from(await record.readFully(false))
    if (record.warcType === 'warcinfo') continue
    records.push({
      type: record.warcType ?? null,
      url: record.warcTargetURI ?? null,
      head: record.httpHeaders?.toString() ?? '',
      payload,
      field: (name) => record.warcHeader(name) ?? null,
    })
  }
  return records
}

/** Returns the sorted index that warcio creates of the files of an archive. */
export async function indexByWarcio(...names: readonly string[]): Promise<string> {
  const out = new PassThrough()
  const read = text(out)
  const files = names.map((name) => {
    return { filename: basename(name), reader: createReadStream(name) }
  })
  await new CDXIndexer({ format: 'cdxj' }).writeAll(files, out as unknown as NodeJS.WriteStream)
  out.end()
  const lines = (await read).trimEnd().split('\n').filter(Boolean)
  return lines
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((line) => `${line}\n`)
    .join('')
}
