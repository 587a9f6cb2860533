import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import type { SeenMemory } from '../../src/seen/strategies.ts'
import { IN_SOAK } from '../support/soak.ts'
import type { AddTask } from './add-worker.ts'

/** Number of threads that die, each at another moment. */
const DEATHS = IN_SOAK ? 4 : 2

/** Tests that a set works after threads died while they added URLs. */
export function survivesDeadThreads(allocate: (expectedUrls: number) => SeenMemory): void {
  it('continues after dead threads are released, and leaves no lock', async () => {
    const memory = allocate(200_000)
    for (let owner = 1; owner <= DEATHS; owner++) {
      const { worker, answer } = startAdding({ memory, owner, urls: ['http://a/'], endless: true })
      await answer
      await sleep(5)
      await worker.terminate()
      openSeenSet(memory, 0).release(owner)
    }
    expect(new Int32Array(memory.locks).every((lock) => lock === 0)).toBe(true)
    const { answer } = startAdding({ memory, owner: 9, urls: ['http://b/'] })
    expect(await answer).toEqual([[true]])
  })
}

/** Tests that a lock belongs to a dead thread until it is released. */
export function waitsForLocks(allocate: (expectedUrls: number) => SeenMemory): void {
  it('waits for the locks of a dead thread until they are released', async () => {
    const memory = allocate(10_000)
    await dieHoldingAllLocks(memory, 1)
    const { worker, answer } = startAdding({ memory, owner: 2, urls: ['http://a/', 'http://a/'] })
    expect(await Promise.race([answer, sleep(200, 'blocked')])).toBe('blocked')
    openSeenSet(memory, 0).release(3)
    expect(await Promise.race([answer, sleep(50, 'blocked')])).toBe('blocked')
    openSeenSet(memory, 0).release(1)
    expect(await answer).toEqual([[true, false]])
    await worker.terminate()
  })
}

/** Starts a thread that adds `urls` and posts the results. */
function startAdding(workerData: AddTask): { worker: Worker; answer: Promise<unknown[]> } {
  const worker = new Worker(new URL('./add-worker.ts', import.meta.url), { workerData })
  return { worker, answer: once(worker, 'message') }
}

async function dieHoldingAllLocks(memory: SeenMemory, owner: number): Promise<void> {
  const url = new URL('./hold-locks-worker.ts', import.meta.url)
  const worker = new Worker(url, { workerData: { locks: memory.locks, owner } })
  await once(worker, 'message')
  await worker.terminate()
}
