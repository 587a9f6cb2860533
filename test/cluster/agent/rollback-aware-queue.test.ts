import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { RollbackAwareQueue } from '../../../src/cluster/agent/rollback-aware-queue.ts'
import type { JobQueue, LeaseReply, PartitionView } from '../../../src/cluster/job-queue.ts'

const REQUEST = {
  ...{ agent: 'a', ttl: 1, longestPause: 1, maxDepth: 0, hosts: 1, batch: 1, held: [] },
}
const URLS = [{ id: '1', depth: 0, attempts: 0, text: '{}' }]

/** A queue of two partitions whose server may fail. */
class FailingQueue {
  outageCount = 0
  visits = [0, 0]
  views = 0
  urls: LeaseReply['hosts'][number]['urls'] = URLS

  async viewPartitions(): Promise<PartitionView[]> {
    this.views++
    await sleep(5)
    return this.visits.map((visits) => {
      return { added: 9, visits, bytes: 0, open: [], free: 0, active: 0, orphans: 0 }
    })
  }

  watchPartitions(): Promise<PartitionView[]> {
    return this.viewPartitions()
  }

  async exchange(): Promise<LeaseReply> {
    return {
      lost: [],
      known: 0,
      hosts: [{ host: 'h', epoch: '1', urls: this.urls, hasMore: false }],
    }
  }
}

let server: FailingQueue
let queue: RollbackAwareQueue
let missing: number[]

beforeEach(() => {
  server = new FailingQueue()
  missing = []
  queue = new RollbackAwareQueue(server as unknown as JobQueue, (visits) => missing.push(visits))
})

it('reports the visits that the next view lacks, once', async () => {
  for (const visits of [
    [5, 5],
    [6, 9],
    [8, 2],
    [8, 2],
  ]) {
    server.visits = visits
    await queue.watchPartitions(0, 1)
  }
  expect(missing).toEqual([7])
})

it('checks after an outage before it returns URLs, once for all exchanges', async () => {
  server.visits = [5, 5]
  await queue.watchPartitions(0, 1)
  server.outageCount = 1
  server.visits = [5, 1]
  await Promise.all([queue.exchange(0, REQUEST), queue.exchange(1, REQUEST)])
  expect(missing).toEqual([4])
  await queue.exchange(0, REQUEST)
  expect(server.views).toBe(2)
})

it('checks nothing without an outage or without URLs', async () => {
  await queue.exchange(0, REQUEST)
  server.outageCount = 1
  server.urls = []
  await queue.exchange(0, REQUEST)
  expect(server.views).toBe(0)
})
