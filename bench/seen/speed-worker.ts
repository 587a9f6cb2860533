import { parentPort, workerData } from 'node:worker_threads'
import type { SeenMemory } from '../../src/seen/kinds.ts'
import { openSeenSet } from '../../src/seen/registry.ts'
import { generatedUrl } from './urls.ts'

/** A thread that asks for known URLs until it is told to stop. */
export interface SpeedTask {
  readonly memory: SeenMemory
  readonly owner: number
  readonly urls: number
  /** Words: threads that are ready, and 1 while they are to run, 2 when they are to stop. */
  readonly gate: SharedArrayBuffer
}

export interface SpeedAnswer {
  readonly asked: number
  /** Of CPU time. */
  readonly microseconds: number
}

const BATCH = 100
const task: SpeedTask = workerData
const seen = openSeenSet(task.memory, task.owner)
const gate = new Int32Array(task.gate)
const batches = Array.from({ length: task.urls / BATCH }, (_, batch) =>
  Array.from({ length: BATCH }, (_, index) => generatedUrl('in', batch * BATCH + index)),
)
// Warm, and once all of them are in.
for (let round = 0; round < 3; round++) for (const urls of batches) await seen.addIfNew(urls)
Atomics.add(gate, 0, 1)
Atomics.notify(gate, 0)
Atomics.wait(gate, 1, 0)
let asked = 0
const before = process.threadCpuUsage()
for (let next = 0; Atomics.load(gate, 1) === 1; next++) {
  const urls = batches[next % batches.length] ?? []
  seen.addIfNew(urls)
  asked += urls.length
}
const { user, system } = process.threadCpuUsage(before)
parentPort?.postMessage({ asked, microseconds: user + system } satisfies SpeedAnswer)
