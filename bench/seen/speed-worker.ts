import { parentPort, workerData } from 'node:worker_threads'
import { openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import type { SeenMemory } from '../../src/seen/strategies.ts'
import { generatedUrl } from './urls.ts'

/** The seen set that a thread opens. Then it replies to each `SpeedRequest` with a `SpeedAnswer`. */
export interface SpeedSetup {
  readonly memory: SeenMemory
  readonly owner: number
}

export interface SpeedRequest {
  /** The path of the URLs, and their number. All threads add the same URLs. */
  readonly path: string
  readonly urls: number
  /** The time, by `process.hrtime`, until which the URLs are added repeatedly; without it, they are added once. */
  readonly until?: bigint
}

export interface SpeedAnswer {
  readonly asked: number
  /** CPU time of the thread. */
  readonly microseconds: number
}

const BATCH = 100
const LENGTH = 60
const { memory, owner }: SpeedSetup = workerData
const seen = openSeenSet(memory, owner)
let path: string | undefined
let batches: readonly (readonly string[])[] = []

parentPort?.on('message', async (request: SpeedRequest) => {
  const { until } = request
  if (path !== request.path) batches = batchesOf(request)
  path = request.path
  const before = process.threadCpuUsage()
  let asked = 0
  do asked += await askAll(until)
  while (until !== undefined && process.hrtime.bigint() < until)
  const { user, system } = process.threadCpuUsage(before)
  parentPort?.postMessage({ asked, microseconds: user + system } satisfies SpeedAnswer)
})

/** Adds all URLs once, or as many as time allows. Returns their number. */
async function askAll(until?: bigint): Promise<number> {
  let asked = 0
  for (const urls of batches) {
    if (until !== undefined && process.hrtime.bigint() >= until) break
    const answers = seen.addIfNew(urls)
    if (answers instanceof Promise) await answers
    asked += urls.length
  }
  return asked
}

/** Returns batches of URLs of the same length. Their strings are flat, like those of URLs read from a page. */
function batchesOf({ path: name, urls }: SpeedRequest): string[][] {
  return Array.from({ length: urls / BATCH }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => {
      const url = generatedUrl(name, batch * BATCH + index)
      return Buffer.from(url.padEnd(LENGTH, '/').slice(0, LENGTH)).toString('latin1')
    }),
  )
}
