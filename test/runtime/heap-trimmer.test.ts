import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const GROWTH = 24 * 2 ** 20

test.concurrent('memory that a heap used for garbage is returned to the system within two seconds', async () => {
  const { grown, left } = await heapAfter(1_500, { growth: 10 * 2 ** 20 })
  expect(grown).toBeGreaterThan(GROWTH)
  expect(left).toBeLessThan(GROWTH)
})

// V8 returns it by itself at an unknown time, so the size is read before that.
test.concurrent('without a trimmer the heap keeps that memory for now', async () => {
  const { left } = await heapAfter(0, {})
  expect(left).toBeGreaterThan(GROWTH)
})

test.concurrent('garbage in the old generation is collected beyond the bound, while V8 alone would keep it', async () => {
  const some = { rows: 500_000 }
  // V8 sometimes collects it by itself.
  const [bounded, ...unbounded] = await Promise.all([
    heapAfter(1_500, { growth: 5 * 2 ** 20, ...some }),
    ...[heapAfter(1_500, some), heapAfter(1_500, some), heapAfter(1_500, some)],
  ])
  const kept = Math.max(...unbounded.map(({ leftInUse }) => leftInUse))
  expect(kept).toBeGreaterThan(10 * 2 ** 20)
  expect(bounded.leftInUse).toBeLessThan(kept / 2)
})

test.concurrent('the young generation regrows to its bound after a last-resort collection, and not to twice that', async () => {
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
 * Returns the size of the young generation, in a process of its own, since this one starts with a larger one.
 * @param bound bytes of the young generation
 */
async function youngAfter(...bound: readonly number[]): Promise<number> {
  const program = fileURLToPath(new URL('young-heap.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, ...bound.map(String)])
  return Number(stdout)
}

/**
 * Runs a thread whose heap grows.
 * @param waits milliseconds until the heap is measured again
 */
async function heapAfter(
  waits: number,
  bound: { growth?: number; rows?: number },
): Promise<{ grown: number; left: number; leftInUse: number }> {
  const program = new URL('../messages/grown-heap.ts', import.meta.url)
  const worker = new Worker(program, { workerData: { ...bound, waits } })
  const [message] = await once(worker, 'message')
  return message
}
