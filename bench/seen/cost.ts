import {
  allocateSeenSet,
  discardSeenSet,
  growsByItself,
  openSeenSet,
  planSeenSet,
  SEEN_NAMES,
} from '../../src/seen/registry.ts'
import type { SeenName, SeenSet } from '../../src/seen/seen-set.ts'
import { table } from '../report/readme.ts'
import { generatedUrl } from './urls.ts'

const BATCH = 1_000
const PROBES = 500_000
const FIRST_ROOM = 100_000

interface Source {
  readonly name: string
  readonly count: number
  urlAt(number: number): string
}

/** What each strategy takes and loses, on so many generated URLs and on real ones. */
export async function costs(generated: number, real: readonly string[], rate: number) {
  const sources: Source[] = [
    { name: 'generated', count: generated, urlAt: (number) => generatedUrl('in', number) },
    { name: 'real', count: real.length, urlAt: (number) => real[number] ?? '' },
  ]
  const rows: string[][] = []
  for (const source of sources.filter(({ count }) => count > 0)) {
    for (const name of SEEN_NAMES) rows.push(await costOf(name, source, rate))
  }
  const head = ['--seen', 'URLs', 'bytes/URL', 'planned', 'disk bytes/URL', 'ns/URL when new']
  return table([...head, 'wanted rate', 'measured', 'lost'], rows)
}

async function costOf(name: SeenName, source: Source, rate: number): Promise<string[]> {
  const { count } = source
  const expectedUrls = growsByItself(name) ? Math.min(FIRST_ROOM, count) : count
  const options = { name, expectedUrls, falsePositiveRate: rate }
  const memory = allocateSeenSet(options)
  try {
    const seen = openSeenSet(memory, 1)
    const started = performance.now()
    let added = 0
    for (let start = 0; start < count; start += BATCH) {
      const size = Math.min(BATCH, count - start)
      const urls = Array.from({ length: size }, (_, index) => source.urlAt(start + index))
      for (const isNew of await seen.addIfNew(urls)) if (isNew) added++
    }
    const nanoseconds = ((performance.now() - started) * 1e6) / count
    const { bytes, diskBytes } = seen.stats()
    const plan = planSeenSet(options, count)
    return [
      ...[name, `${count.toLocaleString('en')} ${source.name}`],
      ...[bytes / count, plan.bytes / count].map((each) => each.toFixed(2)),
      diskBytes === undefined ? '-' : (diskBytes / count).toFixed(1),
      ...[nanoseconds.toFixed(0), name.startsWith('bloom') ? String(rate) : '0'],
      ...[(await mistaken(seen)).toPrecision(2), String(count - added)],
    ]
  } finally {
    discardSeenSet(memory)
  }
}

async function mistaken(seen: SeenSet): Promise<number> {
  let known = 0
  for (let start = 0; start < PROBES; start += BATCH) {
    const urls = Array.from({ length: BATCH }, (_, index) => generatedUrl('out', start + index))
    for (const isKnown of await seen.has(urls)) if (isKnown) known++
  }
  return known / PROBES
}
