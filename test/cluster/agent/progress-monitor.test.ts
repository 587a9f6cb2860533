import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'
import { ProgressMonitor } from '../../../src/cluster/agent/progress-monitor.ts'
import { SharedFrontier } from '../../../src/cluster/agent/shared-frontier.ts'
import type { PartitionView } from '../../../src/cluster/job-queue.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import { temporaryStorage } from '../../../src/state/crawl-storage.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { freshName } from '../../support/redis-setups.ts'
import { idleReport, OnePartition } from '../job-queue-contract.ts'

const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const
let redis: RedisServer
let servers: Servers

beforeAll(async () => {
  redis = await RedisServer.start()
  servers = await connect(redis.url)
})

afterAll(async () => {
  servers.close()
  await redis.close()
})

function idleProcess() {
  const frontier = new SharedFrontier(
    { depth: 9, perHost: 6, delay: 0, ignoreRobots: true },
    temporaryStorage(),
    { has: () => false, countAsSeed: () => {} },
    { addIfNew: () => {} },
  )
  return { frontier, heart: { agents: 2, beat: async () => {} } }
}

/** Starts a process without hosts, while another one leases the only host with its 40 URLs. */
async function startWaiting(lease = 30_000) {
  const queue = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
  const one = new OnePartition(queue)
  await one.push(Array.from({ length: 40 }, (_, page) => `http://${one.host}/${page}`))
  const [host] = (await one.exchange('busy')).hosts
  if (host === undefined) throw new Error('no host')
  const views: PartitionView[][] = []
  const view = async (depth: number) => {
    const all = await queue.watchPartitions(depth, lease)
    views.push(all)
    return all
  }
  const { frontier, heart } = idleProcess()
  const progress = new JobProgress()
  const watched = { watchPartitions: view, mayHaveLostUrls: false }
  const monitor = new ProgressMonitor(watched, frontier, progress, heart, lease)
  const checkFor = async (ms: number) => {
    const end = performance.now() + ms
    for (let now = performance.now(); now < end; now = performance.now()) {
      await monitor.check(now)
      await sleep(Math.max(0, Math.min(monitor.dueAt, end) - performance.now()))
    }
  }
  return { one, host, views, monitor, checkFor }
}

it('the progress monitor checks less often the longer it has nothing to do', async () => {
  const { views, checkFor } = await startWaiting()
  await checkFor(1_500)
  expect(views.length).toBeGreaterThan(2)
  // Checks after 5, 10, 20 ms and so on. Every 100 ms there would be 18.
  expect(views.length).toBeLessThan(12)
})

it('the progress monitor checks several times per lease, so that ended leases are noticed', async () => {
  const { monitor } = await startWaiting(400)
  const pauses: number[] = []
  while (pauses.length < 10) {
    await monitor.check(performance.now())
    const pause = monitor.dueAt - performance.now()
    pauses.push(pause)
    await sleep(Math.max(0, pause))
  }
  // Without the bound by the lease, the pauses would double up to a second.
  expect(Math.max(...pauses)).toBeLessThanOrEqual(100)
})

it('the progress monitor checks when a lease ends', async () => {
  const pauseBefore = async (endsIn: number) => {
    const { frontier, heart } = idleProcess()
    const open: [number, number][] = [[0, 1]]
    const views = [{ added: 1, visits: 0, bytes: 0, free: 0, orphans: 0, active: 1, endsIn, open }]
    const queue = { watchPartitions: async () => views, mayHaveLostUrls: false }
    const monitor = new ProgressMonitor(queue, frontier, new JobProgress(), heart, 8_000)
    // The pauses double up to a second.
    for (let check = 0; check < 10; check++) await monitor.check(monitor.dueAt)
    return monitor.dueAt - performance.now()
  }
  expect(await pauseBefore(10_000)).toBeGreaterThan(600)
  expect(await pauseBefore(400)).toBeLessThan(600)
})

it('the progress monitor checks soon when the current depth is nearly finished', async () => {
  const { one, host, monitor, checkFor } = await startWaiting()
  while (monitor.dueAt - performance.now() < 200) await checkFor(50)
  const done = host.urls.slice(1).map(({ id }) => [id] as const)
  await one.exchange('busy', {
    held: [{ ...idleReport(host.epoch), unfinished: 1, done }],
    hosts: 0,
  })
  await sleep(monitor.dueAt - performance.now())
  await monitor.check(performance.now())
  expect(monitor.dueAt - performance.now()).toBeLessThan(50)
})
