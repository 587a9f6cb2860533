/**
 * Measures the cost of a message between a worker and the main thread for the main thread, by the number of its
 * outcomes. The cost is the CPU time of that thread alone, so other load on the machine has little influence. For each
 * message that arrives, one with the same number of URLs is sent, as in a crawl.
 *
 *   node bench/messages.ts
 */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { OutcomesMessage } from '../src/messages/from-worker.ts'
import type { Visited } from '../src/messages/outcome.ts'
import { packOutcomes, unpackOutcomes } from '../src/messages/outcome-text.ts'
import type { CrawlUrl } from '../src/records/crawl-url.ts'
import { median } from './measure/statistics.ts'
import { table } from './report/readme.ts'

const SIZES = [1, 2, 4, 8, 16, 32]
const OUTCOMES = 40_000
const ROUNDS = 5

const url = (id: number) => `http://127.0.0.1:8080/section-${id % 50}/page-${id}.html`
const crawlUrl = (id: number): CrawlUrl => ({
  ...{ id, url: url(id), via: url(id + 1), hop: 'link', depth: 3, sameDepthHops: 0, redirects: 0 },
  ...{ attempt: 1, failures: 0, keepLinks: false },
})
const fieldsOf = (id: number) => ({
  ...{
    status: 200,
    contentType: 'text/html',
    bytes: 20_000,
    charset: 'utf-8',
    title: `Page ${id}`,
  },
  ...{ links: 80, discovered: 1, ms: 3, worker: 1, time: '2026-11-22T00:00:00.000Z' },
})
const outcome = (id: number): Visited => ({
  ...{ type: 'visited', id, fields: fieldsOf(id), status: 200 },
  ...{ bytes: 20_000, ms: 3, discovered: [url(id)], nearer: [], sameDepth: [], skipped: [] },
  trapSignals: { hasNewContent: true, linkCount: 60 },
})

if (isMainThread) await measure()
else
  parentPort?.on('message', (urls: CrawlUrl[]) => {
    const outcomes = urls.map((each) => ({ crawlUrl: each, outcome: outcome(each.id) }))
    parentPort?.postMessage(packOutcomes(outcomes, true))
  })

async function measure(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url))
  const rows = []
  for (const size of SIZES) {
    const costs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const us = await exchange(worker, size)
      if (round > 0) costs.push(us)
    }
    rows.push([`${size}`, median(costs).toFixed(1), (median(costs) / size).toFixed(1)])
  }
  await worker.terminate()
  console.log(table(['outcomes in a message', 'µs per message', 'µs per page'], rows))
}

/** Returns the microseconds of the main thread per pair of a sent and a received message. */
async function exchange(worker: Worker, size: number): Promise<number> {
  const messages = OUTCOMES / size
  const urls = Array.from({ length: size }, (_, id) => crawlUrl(id))
  const before = process.threadCpuUsage()
  for (let sent = 0; sent < messages; sent++) {
    worker.postMessage(urls)
    const [message]: OutcomesMessage[] = await once(worker, 'message')
    if (message !== undefined) unpackOutcomes(message)
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / messages
}
