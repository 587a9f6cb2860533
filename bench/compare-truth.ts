import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { PassThrough, pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { Visit } from '../src/records/visit.ts'

// node bench/compare-truth.ts <truth.tsv[.gz]> <visits.jsonl> [--depth n]
// Compares the visits of a crawl with the results of an independent search: the URLs, their status and their depth.
// A line of the truth starts with url<TAB>depth<TAB>status. The exit code is 1 if they differ.

interface Reached {
  readonly depth: number
  readonly status: number | undefined
}

const differences = {
  missing: [] as string[],
  extra: [] as string[],
  'wrong status': [] as string[],
  'wrong depth': [] as string[],
  duplicates: [] as string[],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { depth: { type: 'string', default: 'Infinity' } },
})
const [truthFile, visitsFile] = positionals
const limit = Number(values.depth)
if (truthFile === undefined || visitsFile === undefined || Number.isNaN(limit)) {
  console.error('usage: compare-truth.ts <truth.tsv[.gz]> <visits.jsonl> [--depth n]')
  process.exit(2)
}
const truth = await readTruth(truthFile)
const visits = await readVisits(visitsFile)
compare(truth, visits)
report()

async function readTruth(file: string): Promise<Map<string, Reached>> {
  const truth = new Map<string, Reached>()
  for await (const line of linesOf(file)) {
    const [url, depth, status] = line.split('\t')
    if (url === undefined || Number(depth) > limit) continue
    truth.set(url, { depth: Number(depth), status: Number(status) })
  }
  return truth
}

async function readVisits(file: string): Promise<Map<string, Reached>> {
  const visits = new Map<string, Reached>()
  for await (const line of linesOf(file)) {
    const { url, depth, status }: Visit = JSON.parse(line)
    if (visits.has(url)) differences.duplicates.push(url)
    else visits.set(url, { depth, status })
  }
  return visits
}

function linesOf(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file)
  const plain = file.endsWith('.gz') ? createGunzip() : new PassThrough()
  return createInterface({ input: pipeline(bytes, plain, failOn(file)), crlfDelay: Infinity })
}

function failOn(file: string): (error: Error | null | undefined) => void {
  return (error) => {
    if (!error) return
    console.error(`${file}: ${error.message}`)
    process.exit(2)
  }
}

function compare(truth: Map<string, Reached>, visits: Map<string, Reached>): void {
  for (const [url, wanted] of truth) {
    const found = visits.get(url)
    if (found === undefined) differences.missing.push(`${url} (depth ${wanted.depth})`)
    else compareVisit(url, wanted, found)
  }
  for (const [url, found] of visits) {
    if (!truth.has(url)) differences.extra.push(`${url} (depth ${found.depth}, ${found.status})`)
  }
}

function compareVisit(url: string, wanted: Reached, found: Reached): void {
  if (found.status !== wanted.status) {
    differences['wrong status'].push(`${url} (${found.status}, not ${wanted.status})`)
  }
  if (found.depth !== wanted.depth) {
    differences['wrong depth'].push(`${url} (${found.depth}, not ${wanted.depth})`)
  }
}

function report(): void {
  console.log(`truth ${truth.size}, visits ${visits.size}`)
  for (const [name, urls] of Object.entries(differences)) {
    console.log(`${name} ${urls.length}`)
    for (const url of urls.slice(0, 10)) console.log(`  ${url}`)
    if (urls.length > 0) process.exitCode = 1
  }
}
