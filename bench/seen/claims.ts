import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { bloomSliceBytes } from '../../src/seen/bloom/bloom-bit-array.ts'
import { bloomSize } from '../../src/seen/bloom/bloom-size.ts'
import { allocateStripeLocks } from '../../src/seen/stripe-locks.ts'
import { table } from '../report/readme.ts'
import type { ClaimTask, Rule } from './claims-worker.ts'

const THREADS = [2, 8]
const URLS = 2 ** 18
const RULES: readonly Rule[] = [
  'exists, then insert',
  'any bit flipped',
  'probe, then stripe lock',
  'one word',
]

/** Lets several threads claim the same URLs. Returns the number of URLs claimed twice, and of those never claimed. */
async function contend(rule: Rule, threads: number): Promise<{ twice: number; lost: number }> {
  const size = bloomSize(URLS, 0.001)
  const shared: Omit<ClaimTask, 'owner'> = {
    ...{ rule, urls: URLS, ...size },
    words: new SharedArrayBuffer(bloomSliceBytes(size)),
    counters: new SharedArrayBuffer(64),
    locks: allocateStripeLocks(),
    gate: new SharedArrayBuffer(8),
    wins: new SharedArrayBuffer(URLS * 4),
  }
  const workers = Array.from({ length: threads }, (_, index) => {
    const workerData: ClaimTask = { ...shared, owner: index + 1 }
    return new Worker(new URL('./claims-worker.ts', import.meta.url), { workerData })
  })
  const ends = workers.map((worker) => once(worker, 'exit'))
  const gate = new Int32Array(shared.gate)
  for (let ready = 0; ready < threads; ready = Atomics.load(gate, 0)) {
    await Atomics.waitAsync(gate, 0, ready).value
  }
  Atomics.store(gate, 1, 1)
  Atomics.notify(gate, 1)
  await Promise.all(ends)
  const wins = new Int32Array(shared.wins)
  return {
    twice: wins.filter((count) => count > 1).length,
    lost: wins.filter((count) => count === 0).length,
  }
}

/** Measures which rules let two threads claim the same URL. */
export async function claims(): Promise<string> {
  const rows: string[][] = []
  for (const rule of RULES) {
    const row: string[] = [rule]
    for (const threads of THREADS) {
      const { twice, lost } = await contend(rule, threads)
      row.push(String(twice), String(lost))
    }
    rows.push(row)
  }
  const columns = THREADS.flatMap((threads) => [
    `claimed twice by ${threads} threads`,
    `lost with ${threads}`,
  ])
  return table(['rule', ...columns], rows)
}
