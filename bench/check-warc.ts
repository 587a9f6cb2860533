import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { WARCParser } from 'warcio'
import { digestOf, repeatRequest } from './warc/repeat-request.ts'

// node bench/check-warc.ts <archive.warc.gz>
// Reads an archive with warcio, repeats each archived request, and compares the archived payload with that of the new
// response. The exit code is 1 if they differ. It works only over http, with sites that send the same response each
// time.

interface Payload {
  readonly url: string
  readonly digest: string | null
  readonly bytes: Buffer
}

const [file = ''] = process.argv.slice(2)
const counts: Record<string, number> = { differences: 0 }
const responses = new Map<string, Payload>()
const digests = new Set<string | null>()

for await (const record of new WARCParser(createReadStream(file))) {
  const warcType = record.warcType ?? ''
  const url = record.warcTargetURI ?? ''
  counts[warcType] = (counts[warcType] ?? 0) + 1
  const bytes = Buffer.from(await record.readFully(false))
  const digest = record.warcHeader('WARC-Payload-Digest') ?? null
  if (warcType === 'response') {
    responses.set(url, { url, digest, bytes })
    digests.add(digest)
  } else if (warcType === 'revisit') {
    compare(url, 'the digest of a record before', digests.has(digest), true)
    responses.set(url, { url, digest, bytes: Buffer.alloc(0) })
  } else if (warcType === 'request') {
    await compareWithServer(
      responses.get(url),
      Object.fromEntries(record.httpHeaders?.headers ?? []),
    )
  }
}
console.log(counts)
process.exitCode = counts['differences'] === 0 ? 0 : 1

async function compareWithServer(payload: Payload | undefined, headers: IncomingHttpHeaders) {
  if (payload === undefined) throw new Error('a request without its answer')
  const sent = await repeatRequest(payload.url, headers)
  compare(payload.url, 'payload digest', payload.digest, digestOf(sent))
  if (payload.bytes.length > 0) compare(payload.url, 'payload', payload.bytes.equals(sent), true)
}

function compare(url: string, what: string, got: unknown, expected: unknown): void {
  if (got === expected) return
  counts['differences'] = (counts['differences'] ?? 0) + 1
  console.log(`${url}: ${what}: expected ${expected}, got ${got}`)
}
