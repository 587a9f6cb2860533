import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SeenName, SeenStats } from '../../src/seen/seen-set.ts'
import { allocateSeenSet, discardSeenSet, openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import type { TortureTask } from './torture-worker.ts'

export interface TortureOptions {
  readonly name: SeenName
  readonly threads: number
  /** Rounded up to whole windows. */
  readonly urls: number
  /** A power of two. */
  readonly window: number
  /** The number of URLs that the set is sized for; by default all URLs. */
  readonly expectedUrls?: number
}

export interface TortureResult {
  readonly urls: number
  /** URLs that were reported as new to two or more threads. */
  readonly claimedTwice: number
  /** URLs that were reported as new to no thread: false positives. */
  readonly lost: number
  readonly ms: number
  readonly stats: SeenStats
}

const falsePositiveRate = 0.001

/** Threads without a task. Starting one takes longer than most rounds. */
const idle: Worker[] = []

/** Lets all threads add the same URLs at once, each in another order. Counts the results. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { name, threads, window } = options
  const urls = Math.ceil(options.urls / window) * window
  const { expectedUrls = urls } = options
  const memory = allocateSeenSet({ name, expectedUrls, falsePositiveRate })
  const gate = new SharedArrayBuffer(8)
  const wins = new SharedArrayBuffer(urls * 4)
  const ends = Array.from({ length: threads }, (_, index) =>
    run({ memory, owner: index + 1, urls, window, gate, wins }),
  )
  const started = await openGate(gate, threads)
  await Promise.all(ends)
  const ms = performance.now() - started
  const stats = openSeenSet(memory, 0).stats()
  discardSeenSet(memory)
  return { urls, ...judge(new Int32Array(wins)), ms, stats }
}

/** Resolves when a thread has finished its part. */
async function run(task: TortureTask): Promise<void> {
  const thread = idle.pop() ?? new Worker(new URL('./torture-worker.ts', import.meta.url))
  thread.ref()
  thread.postMessage(task)
  await once(thread, 'message')
  thread.unref()
  idle.push(thread)
}

/** Waits until all threads are ready, so that none runs alone. */
async function openGate(buffer: SharedArrayBuffer, threads: number): Promise<number> {
  const gate = new Int32Array(buffer)
  for (let waiting = 0; waiting < threads; waiting = Atomics.load(gate, 0)) {
    await Atomics.waitAsync(gate, 0, waiting).value
  }
  Atomics.store(gate, 1, 1)
  const started = performance.now()
  Atomics.notify(gate, 1)
  return started
}

function judge(wins: Int32Array): { claimedTwice: number; lost: number } {
  let claimedTwice = 0
  let lost = 0
  for (const count of wins) {
    if (count > 1) claimedTwice++
    if (count === 0) lost++
  }
  return { claimedTwice, lost }
}
