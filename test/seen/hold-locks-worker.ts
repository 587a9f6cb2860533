import { parentPort, workerData } from 'node:worker_threads'
import { StripeLocks } from '../../src/seen/stripe-locks.ts'

/** A thread that takes every lock and never releases one. */
const task: { readonly locks: SharedArrayBuffer; readonly owner: number } = workerData
const locks = new StripeLocks(task.locks, task.owner)
for (let hash = 0; hash < 65_536; hash++) locks.lock(hash)
parentPort?.postMessage('held')
parentPort?.on('message', () => {})
