import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { HeapTrimmer } from '../../src/runtime/heap-trimmer.ts'

/**
 * A thread whose heap grows, after which the objects become garbage. Reports how much it grew, how much of that is left
 * later, and how much is in use.
 */
const before = held()
const usedBefore = used()
if (workerData.growth !== undefined) new HeapTrimmer(undefined, workerData.growth)
fill(workerData.rows ?? 2_000_000)
const grown = held() - before
await sleep(workerData.waits)
parentPort?.postMessage({ grown, left: held() - before, leftInUse: used() - usedBefore })

function fill(count: number): void {
  const rows: { row: number }[] = []
  for (let row = 0; row < count; row++) rows.push({ row })
}

function used(): number {
  return getHeapStatistics().used_heap_size
}

function held(): number {
  return getHeapStatistics().total_physical_size
}
