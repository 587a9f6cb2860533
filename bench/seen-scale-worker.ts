import { parentPort, workerData } from 'node:worker_threads'
import { openSeenSet } from '../src/seen/seen-set-lifecycle.ts'
import type { SeenMemory } from '../src/seen/strategies.ts'

/** The share of one thread in a large crawl: every `step`th URL from `first` on. */
export interface ScaleTask {
  readonly memory: SeenMemory
  readonly owner: number
  readonly first: number
  readonly step: number
  readonly urls: number
}

const batchSize = 100
const { memory, owner, first, step, urls }: ScaleTask = workerData
const seen = openSeenSet(memory, owner)
let won = 0
for (let start = first; start < urls; start += batchSize * step) {
  const batch: string[] = []
  for (let index = start; index < urls && batch.length < batchSize; index += step) {
    batch.push(`https://example.com/page/${index}`)
  }
  for (const isNew of await seen.addIfNew(batch)) if (isNew) won++
}
parentPort?.postMessage(won)
