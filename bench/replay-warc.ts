import { createReadStream, openSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { digestOf, repeatRequest } from './warc/repeat-request.ts'
import { payloadOf, recordsIn, type WarcRecord } from './warc/second-reader.ts'

// npm install --prefix bench && node bench/replay-warc.ts <site.warc.gz>
// Reads an archive to its end with a reader that isn't warcio, and checks each record against ISO 28500 and its
// digests. Then works like a replay: looks each URL up in site.cdxj, reads only the record at that place, follows a
// revisit to the record with the body, and compares the body that a browser would get with that of the server. The exit
// code is 1 if they differ.

interface Capture {
  readonly url: string
  readonly mime: string
  readonly offset: string
  readonly length: string
  readonly filename: string
}

/** Fields that ISO 28500, 5.4, requires in each record, and those that it requires in records of a type. */
const MANDATORY = ['WARC-Record-ID', 'Content-Length', 'WARC-Date', 'WARC-Type']
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  warcinfo: ['WARC-Filename', 'Content-Type'],
  response: ['WARC-Target-URI', 'WARC-Payload-Digest', 'Content-Type'],
  request: ['WARC-Target-URI', 'WARC-Concurrent-To', 'Content-Type'],
  revisit: ['WARC-Target-URI', 'WARC-Profile', 'WARC-Refers-To', 'WARC-Payload-Digest'],
}
const REVISIT = 'warc/revisit'

const [file = ''] = process.argv.slice(2)
const counts: Record<string, number> = { differences: 0 }
const requests = new Map<string, WarcRecord>()

for await (const record of recordsIn(createReadStream(file))) {
  const { headers, content } = record
  const type = headers['WARC-Type'] ?? ''
  const url = headers['WARC-Target-URI'] ?? ''
  counts[type] = (counts[type] ?? 0) + 1
  const missing = [...MANDATORY, ...(OF_TYPE[type] ?? [])].filter((name) => !headers[name])
  compare(url, `fields missing of ${type}`, missing.join(), '')
  compare(url, 'version', record.protocol, 'WARC/1.1')
  compare(url, 'block digest', headers['WARC-Block-Digest'], digestOf(content))
  if (type === 'request') requests.set(url, record)
  if (type !== 'response') continue
  compare(url, 'payload digest', headers['WARC-Payload-Digest'], digestOf(payloadOf(record)))
}

const archive = openSync(file, 'r')
const index = readFileSync(join(dirname(file), `${basename(file, '.warc.gz')}.cdxj`), 'utf8')
const captures = index.split('\n').filter(Boolean).map(captureIn)
const byUrl = new Map(captures.filter(({ mime }) => mime !== REVISIT).map((it) => [it.url, it]))
for (const capture of captures) await replay(capture)
console.log({ ...counts, replayed: captures.length })
process.exitCode = counts['differences'] === 0 ? 0 : 1

function captureIn(line: string): Capture {
  return JSON.parse(line.slice(line.indexOf('{')))
}

async function replay(capture: Capture): Promise<void> {
  const record = await recordAt(capture)
  const { url, mime } = capture
  compare(url, 'URL of the record', record.headers['WARC-Target-URI'], url)
  const original = byUrl.get(record.headers['WARC-Refers-To-Target-URI'] ?? url)
  if (original === undefined) return compare(url, 'record with the body', 'none', 'one')
  const whole = mime === REVISIT ? await recordAt(original) : record
  const sent = await repeatRequest(url, requestHeaders(requests.get(url)))
  compare(url, 'replayed body', digestOf(payloadOf(whole)), digestOf(sent))
}

/** Returns the only record at a place of the archive. */
async function recordAt({ offset, length, url }: Capture): Promise<WarcRecord> {
  const member = Buffer.alloc(Number(length))
  readSync(archive, member, 0, member.length, Number(offset))
  const records: WarcRecord[] = []
  for await (const record of recordsIn(Readable.from([member]))) records.push(record)
  compare(url, 'records at its place', records.length, 1)
  const [record] = records
  if (record === undefined) throw new Error(`no record at ${offset}`)
  return record
}

function requestHeaders(record: WarcRecord | undefined): Record<string, string> {
  const [, ...lines] = record?.content.toString('latin1').trimEnd().split('\r\n') ?? []
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
}

function compare(url: string, what: string, got: unknown, expected: unknown): void {
  if (got === expected) return
  counts['differences'] = (counts['differences'] ?? 0) + 1
  console.log(`${url}: ${what}: expected ${expected}, got ${got}`)
}
