import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const THREADS = 8
const ROUNDS = 4
const MODULE = new URL('../../src/runtime/collect-garbage.ts', import.meta.url).href
/** A thread that collects garbage for the first time when all threads are ready. */
const CODE = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(${JSON.stringify(MODULE)}).then(({ collect }) => {
    Atomics.add(workerData, 0, 1)
    while (Atomics.load(workerData, 0) < ${THREADS});
    collect({ type: 'minor' })
    parentPort.postMessage('collected')
  })`

it('threads may collect garbage for the first time at once, although a flag of their process allows it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const workerData = new Int32Array(new SharedArrayBuffer(4))
    const threads = Array.from(
      { length: THREADS },
      () => new Worker(CODE, { eval: true, workerData }),
    )
    const results = await Promise.all(threads.map((thread) => once(thread, 'message')))
    expect(results.flat()).toEqual(Array.from({ length: THREADS }, () => 'collected'))
  }
})
