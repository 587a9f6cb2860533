import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const GROWTH = 24 * 2 ** 20

test.concurrent('memory that a heap took for what is gone is given back within two seconds', async () => {
  const { grown, left } = await heapAfter(1_500, { growth: 10 * 2 ** 20 })
  expect(grown).toBeGreaterThan(GROWTH)
  expect(left).toBeLessThan(GROWTH)
})

// V8 gives it back by itself at some time, which nobody knows: so it is asked before.
test.concurrent('without a bound the heap keeps it for now', async () => {
  const { left } = await heapAfter(0, {})
  expect(left).toBeGreaterThan(GROWTH)
})

test.concurrent('garbage that has become old is collected from the bound on, and V8 would leave it', async () => {
  const some = { rows: 500_000 }
  const [bounded, unbounded] = await Promise.all([
    heapAfter(1_500, { growth: 5 * 2 ** 20, ...some }),
    heapAfter(1_500, some),
  ])
  expect(unbounded.leftInUse).toBeGreaterThan(10 * 2 ** 20)
  expect(bounded.leftInUse).toBeLessThan(unbounded.leftInUse / 2)
})

test.concurrent('the space for new objects grows to its size again after a last resort, and not to twice that', async () => {
  // V8 sometimes grows it by itself.
  const [bounded, ...unbounded] = await Promise.all([
    youngAfter(8 * 2 ** 20),
    ...[youngAfter(), youngAfter()],
  ])
  expect(bounded).toBeGreaterThanOrEqual(6 * 2 ** 20)
  expect(bounded).toBeLessThanOrEqual(16 * 2 ** 20)
  expect(Math.min(...unbounded)).toBeLessThan(6 * 2 ** 20)
})

/**
 * Runs in a process of its own: this one starts with more for new objects.
 * @param bound bytes for new objects
 */
async function youngAfter(...bound: readonly number[]): Promise<number> {
  const program = fileURLToPath(new URL('young-heap.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, ...bound.map(String)])
  return Number(stdout)
}

/** @param waits milliseconds until it is looked at again */
async function heapAfter(
  waits: number,
  bound: { growth?: number; rows?: number },
): Promise<{ grown: number; left: number; leftInUse: number }> {
  const program = new URL('../messages/grown-heap.ts', import.meta.url)
  const worker = new Worker(program, { workerData: { ...bound, waits } })
  const [message] = await once(worker, 'message')
  return message
}
