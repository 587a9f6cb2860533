import { parentPort, workerData } from 'node:worker_threads'
import { openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import type { SeenMemory } from '../../src/seen/strategies.ts'

/** A thread that adds `urls` and posts the results. It may then add others until it is killed. */
export interface AddTask {
  readonly memory: SeenMemory
  readonly owner: number
  readonly urls: readonly string[]
  readonly endless?: boolean
}

const task: AddTask = workerData
const seen = openSeenSet(task.memory, task.owner)
parentPort?.postMessage(await seen.addIfNew(task.urls))
for (let index = 0; task.endless; index++) {
  await seen.addIfNew([`http://${task.owner}/${index}`])
}
