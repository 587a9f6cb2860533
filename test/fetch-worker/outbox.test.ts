import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { archivedIn, Outbox } from '../../src/fetch-worker/outbox.ts'
import type { WorkerMessage } from '../../src/messages/from-worker.ts'
import type { Outcome } from '../../src/messages/outcome.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'
import { setupFor } from './visit-url.ts'

function outcomeWith(response: Uint8Array): Outcome {
  const about = { id: '', url: '', date: '', status: 200, mime: '', payloadDigest: '' }
  const records = { head: Buffer.alloc(0), request: Buffer.alloc(0), response }
  const exchange = { ...about, ...records, isWhole: true }
  const visit = { type: 'visited', id: 1, fields: {}, status: 200, bytes: 0, ms: 0 } as const
  return { ...visit, discovered: [], nearer: [], sameDepth: [], skipped: [], exchange }
}

it('messages transfer the memory of archived responses that own it, and of no others', () => {
  const large = Buffer.alloc(1_000_000)
  const shared = Buffer.alloc(100).subarray(10)
  const postponed: Outcome = { type: 'postponed', id: 2, ms: 0 }
  const outcomes = [outcomeWith(large), outcomeWith(shared), postponed]
  expect(archivedIn(outcomes)).toEqual([large.buffer])
})

it('outcomes of one turn form one message, which comes before URLs that are returned after them', async () => {
  const { port1: port, port2 } = new MessageChannel()
  const received: WorkerMessage[] = []
  port2.on('message', (message) => received.push(message))
  const outbox = new Outbox({ ...setupFor('http://a.test/', {}), port })
  const postponed = (id: number) => ({ type: 'postponed', id, ms: 0 }) as const
  outbox.report(crawlUrl(1), postponed(1))
  outbox.returnUnsentAfterOutcomes([3])
  outbox.report(crawlUrl(2), postponed(2))
  outbox.returnUnsent([4])
  setImmediate(() => setImmediate(() => outbox.close()))
  await once(port2, 'close')
  expect(received).toEqual([
    { type: 'unsent', id: 4 },
    { type: 'outcomes', text: '', links: '', others: [postponed(1), postponed(2)] },
    { type: 'unsent', id: 3 },
  ])
})

function crawlUrl(id: number): CrawlUrl {
  return {
    ...{ id, url: `http://a.test/${id}`, depth: 0, sameDepthHops: 0, redirects: 0, hop: 'seed' },
    ...{ attempt: 1, failures: 0, keepLinks: false },
  }
}
