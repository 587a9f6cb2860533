import { SEEN_SET_NAMES, type SeenSet } from '../../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  growsAsNeeded,
  openSeenSet,
  planSeenSet,
} from '../../src/seen/seen-set-lifecycle.ts'
import { generatedUrl, realUrls } from './urls.ts'

/** Adds URLs to one seen set, alone in its process. Prints the set's memory and its lost URLs as a line of JSON. */
const [wanted = '', most = '0', rate = '0', folder] = process.argv.slice(2)
const BATCH = 1_000
const PROBES = 500_000
const FIRST_ROOM = 100_000

const name = SEEN_SET_NAMES.find((each) => each === wanted)
if (name === undefined) throw new Error(`expected a seen set, got ${wanted}`)
const real = folder === undefined ? undefined : realUrls(folder)
const count = real?.length ?? Number(most)
const expectedUrls = growsAsNeeded(name) ? Math.min(FIRST_ROOM, count) : count
const options = { name, expectedUrls, falsePositiveRate: Number(rate) }
const planned = planSeenSet(options, count)
const empty = residentBytes()
const memory = allocateSeenSet(options)
try {
  const seen = openSeenSet(memory, 1)
  const lost = count - (await addAll(seen))
  const resident = residentBytes() - empty
  const { bytes, diskBytes } = seen.stats()
  const figures = { urls: count, bytes, planned: planned.bytes, resident, diskBytes, lost }
  console.log(JSON.stringify({ ...figures, measured: await mistaken(seen) }))
} finally {
  discardSeenSet(memory)
}

async function addAll(seen: SeenSet): Promise<number> {
  let added = 0
  for (let start = 0; start < count; start += BATCH) {
    for (const isNew of await seen.addIfNew(batchAt(start, Math.min(BATCH, count - start), 'in'))) {
      if (isNew) added++
    }
  }
  return added
}

/** Returns the false-positive rate: the share of unknown URLs that the set reports as known. */
async function mistaken(seen: SeenSet): Promise<number> {
  let known = 0
  for (let start = 0; start < PROBES; start += BATCH) {
    for (const isKnown of await seen.has(batchAt(start, BATCH, 'out'))) if (isKnown) known++
  }
  return known / PROBES
}

function batchAt(start: number, size: number, path: string): string[] {
  const given = path === 'in' ? real : undefined
  return given === undefined
    ? Array.from({ length: size }, (_, index) => generatedUrl(path, start + index))
    : given.slice(start, start + size)
}

function residentBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage.rss()
}
