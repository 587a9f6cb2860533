import { parentPort } from 'node:worker_threads'
import { openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import type { SeenMemory } from '../../src/seen/strategies.ts'

/** One thread's part of a torture round. It adds every URL once, in an order of its own. */
export interface TortureTask {
  readonly memory: SeenMemory
  readonly owner: number
  /** Number of URLs, a multiple of `window`. */
  readonly urls: number
  /** URLs are shuffled within windows of this size, a power of two. Small windows make threads collide. */
  readonly window: number
  /** Two words: the number of threads that wait at the start, and 1 once they may start. */
  readonly gate: SharedArrayBuffer
  /** For each URL, how often it was reported as new to a thread. */
  readonly wins: SharedArrayBuffer
}

const batchSize = 100

parentPort?.on('message', async (task: TortureTask) => {
  const seen = openSeenSet(task.memory, task.owner)
  const wins = new Int32Array(task.wins)
  const gate = new Int32Array(task.gate)
  Atomics.add(gate, 0, 1)
  Atomics.notify(gate, 0)
  Atomics.wait(gate, 1, 0)
  for (let start = 0; start < task.urls; start += batchSize) {
    const indexes: number[] = []
    for (let turn = start; turn < Math.min(start + batchSize, task.urls); turn++) {
      indexes.push(shuffled(turn, task))
    }
    const fresh = await seen.addIfNew(indexes.map((index) => `https://example.com/page/${index}`))
    indexes.forEach((index, place) => {
      if (fresh[place]) Atomics.add(wins, index, 1)
    })
  }
  parentPort?.postMessage('done')
})

/** Returns a permutation of each window, different for each owner: an odd factor modulo a power of two. */
function shuffled(turn: number, { window, owner }: TortureTask): number {
  const offset = turn % window
  const factor = (Math.imul(owner, 0x9e3779b1) | 1) >>> 0
  const moved = (Math.imul(offset, factor) + Math.imul(owner, 0x85ebca6b)) >>> 0
  return turn - offset + (moved % window)
}
