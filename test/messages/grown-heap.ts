import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { HeapTrimmer } from '../../src/runtime/heap-trimmer.ts'

/** A thread whose heap grows by what it lets go of at once; tells by how many bytes, then and later. */
const before = held()
if (workerData.growth !== undefined) new HeapTrimmer(workerData.growth)
fill()
const grown = held() - before
await sleep(workerData.waits)
parentPort?.postMessage({ grown, left: held() - before })

function fill(): void {
  const rows: { row: number }[] = []
  for (let row = 0; row < 2_000_000; row++) rows.push({ row })
}

function held(): number {
  return getHeapStatistics().total_physical_size
}
