import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const GROWTH = 24 * 2 ** 20

test.concurrent('memory that a heap took for what is gone is given back within two seconds', async () => {
  const { grown, left } = await heapAfter({ growth: GROWTH })
  expect(grown).toBeGreaterThan(GROWTH)
  expect(left).toBeLessThan(GROWTH)
})

test.concurrent('without a bound the heap keeps it', async () => {
  const { left } = await heapAfter({})
  expect(left).toBeGreaterThan(GROWTH)
})

async function heapAfter(bound: { growth?: number }): Promise<{ grown: number; left: number }> {
  const program = new URL('./grown-heap.ts', import.meta.url)
  const worker = new Worker(program, { workerData: { ...bound, waits: 1_500 } })
  const [message] = await once(worker, 'message')
  return message
}
