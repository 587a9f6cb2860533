/**
 * Tests a seen set at the scale of a large crawl: threads add URLs that are all different, and then some are looked up
 * again. Prints speed, memory, and the measured and computed false-positive rates.
 *
 *   node bench/seen-scale.ts [--seen bloom-growing] [--urls 1e8] [--threads 2] [--expected-urls 1e6] [--false-positive-rate 0.001]
 *
 * Sets of fixed size are created for all of the URLs. Those that grow begin with `--expected-urls`.
 */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import {
  SEEN_SET_NAMES,
  type SeenName,
  type SeenOptions,
  type SeenSet,
} from '../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  growsAsNeeded,
  openSeenSet,
  planSeenSet,
} from '../src/seen/seen-set-lifecycle.ts'
import type { ScaleTask } from './seen-scale-worker.ts'

const { values } = parseArgs({
  options: {
    seen: { type: 'string', multiple: true, default: ['bloom-growing', 'bloom'] },
    urls: { type: 'string', default: '1e8' },
    threads: { type: 'string', default: '2' },
    'expected-urls': { type: 'string', default: '1e6' },
    'false-positive-rate': { type: 'string', default: '0.001' },
  },
})
const urls = Number(values.urls)
const threads = Number(values.threads)
const falsePositiveRate = Number(values['false-positive-rate'])
const probes = 1_000_000
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

for (const name of SEEN_SET_NAMES.filter((name) => values.seen.includes(name))) await scale(name)

async function scale(name: SeenName): Promise<void> {
  const expectedUrls = growsAsNeeded(name) ? Number(values['expected-urls']) : urls
  const options: SeenOptions = { name, expectedUrls, falsePositiveRate }
  const memory = allocateSeenSet(options)
  const started = performance.now()
  const won = await Promise.all(
    Array.from({ length: threads }, async (_, index) => {
      const workerData: ScaleTask = { memory, owner: index + 1, first: index, step: threads, urls }
      const worker = new Worker(new URL('./seen-scale-worker.ts', import.meta.url), { workerData })
      const [count]: number[] = await once(worker, 'message')
      return count ?? 0
    }),
  )
  const ms = performance.now() - started
  const added = won.reduce((sum, count) => sum + count, 0)
  const seen = openSeenSet(memory, 0)
  const plan = planSeenSet(options, urls)
  const { bytes, falsePositiveRate: rate, expectedLost, audit } = seen.stats()
  console.log(`${name}: ${urls} URLs by ${threads} threads, wanted rate ${falsePositiveRate}
  time    ${(ms / 1000).toFixed(1)} s, ${((ms * 1e6) / urls).toFixed(0)} ns per URL
  memory  ${mebibytes(bytes)} (planned ${mebibytes(plan.bytes)}), ${((bytes * 8) / urls).toFixed(2)} bits per URL; RSS ${mebibytes(process.memoryUsage.rss())}
  rate    ${(await answered(seen, 'other', urls)).toExponential(2)} measured with ${probes} strangers, ${rate.toExponential(2)} computed
  lost    ${urls - added}, expected ${expectedLost.toFixed(0)}, planned ${plan.expectedLost.toFixed(0)}, audit ${((audit?.lostShare ?? 0) * urls).toFixed(0)} (${audit?.mistakes} of ${audit?.sampled})
  missed  ${(1 - (await answered(seen, 'page', urls))) * probes} of ${probes} known ones`)
}

/** Returns the share of some URLs that the set reports as known. */
async function answered(seen: SeenSet, path: string, spread: number): Promise<number> {
  let known = 0
  for (let start = 0; start < probes; start += 1000) {
    const batch = Array.from({ length: 1000 }, (_, index) => {
      const number = Math.floor(((start + index) / probes) * spread)
      return `https://example.com/${path}/${number}`
    })
    for (const isKnown of await seen.has(batch)) if (isKnown) known++
  }
  return known / probes
}
