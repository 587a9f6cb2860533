import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { allocateSeenSet, discardSeenSet, SEEN_NAMES } from '../../src/seen/registry.ts'
import type { SeenName } from '../../src/seen/seen-set.ts'
import { type BarGroup, barChart } from '../report/chart.ts'
import { table } from '../report/readme.ts'
import type { SpeedAnswer, SpeedTask } from './speed-worker.ts'

const THREADS = [1, 2, 4, 8]
const URLS = 20_000
const RUN_MS = 300

/** Millions of answers for known URLs per thread and second of its CPU time. */
async function speedOf(name: SeenName, threads: number): Promise<number> {
  const memory = allocateSeenSet({ name, expectedUrls: 1_000_000, falsePositiveRate: 0.001 })
  const gate = new SharedArrayBuffer(8)
  const words = new Int32Array(gate)
  const workers = Array.from({ length: threads }, (_, index) => {
    const workerData: SpeedTask = { memory, owner: index + 1, urls: URLS, gate }
    return new Worker(new URL('./speed-worker.ts', import.meta.url), { workerData })
  })
  const answers = workers.map((worker) => once(worker, 'message'))
  for (let ready = 0; ready < threads; ready = Atomics.load(words, 0)) {
    await Atomics.waitAsync(words, 0, ready).value
  }
  Atomics.store(words, 1, 1)
  Atomics.notify(words, 1)
  await sleep(RUN_MS)
  Atomics.store(words, 1, 2)
  const told: SpeedAnswer[] = (await Promise.all(answers)).map(([answer]) => answer)
  await Promise.all(workers.map((worker) => worker.terminate()))
  discardSeenSet(memory)
  const sumOf = (field: keyof SpeedAnswer) => told.reduce((sum, each) => sum + each[field], 0)
  return sumOf('asked') / sumOf('microseconds')
}

/** Speed with 1 to 8 threads on known URLs: a table, and a chart. */
export async function speeds(): Promise<{ markdown: string; svg: string }> {
  const rows: string[][] = []
  const groups: BarGroup[] = []
  for (const name of SEEN_NAMES) {
    const found: number[] = []
    for (const threads of THREADS) found.push(await speedOf(name, threads))
    rows.push([name, ...found.map((speed) => speed.toFixed(2))])
    const bars = found.map((speed, index) => {
      const median = speed * 1_000
      return { label: `${THREADS[index]} threads`, median, least: median, most: median }
    })
    groups.push({ title: name, bars })
  }
  const head = THREADS.map((threads) => `${threads} ${threads === 1 ? 'thread' : 'threads'}`)
  return {
    markdown: table(['--seen', ...head], rows),
    svg: barChart('Known URLs answered per thread, thousands per second of CPU time', groups),
  }
}
