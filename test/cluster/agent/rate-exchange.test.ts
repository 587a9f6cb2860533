import { describe, expect, it, onTestFinished } from 'vitest'
import { RateExchange } from '../../../src/cluster/agent/rate-exchange.ts'
import type { RateDemand } from '../../../src/cluster/job-queue.ts'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import { silentLogger } from '../../../src/logger.ts'
import { monotonicTime } from '../../../src/throttle/monotonic-time.ts'
import { PermitQueue } from '../../../src/throttle/permit-queue.ts'
import { SharedRate } from '../../../src/throttle/shared-rate.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { until } from '../../support/until.ts'
import { joinFresh } from '../job-queue-contract.ts'

describe.each(REDIS_SETUPS.slice(0, 1))('processes that share a rate on %s', (_, start) => {
  it('stay within it together, and none starves', async () => {
    const store = await openRedisJobStore([(await start()).url], silentLogger())
    onTestFinished(() => store.close())
    const name = freshName()
    const stopping = new AbortController()
    const takes: (readonly [process: number, at: number])[] = []
    const exchanges: Promise<void>[] = []
    const processes = [0, 1, 2].map(async (process) => {
      const requestRate = new SharedRate(SharedRate.allocate(60, 1, true), 1)
      const exchange = new RateExchange(await joinFresh(store, 'redis-set', name), { requestRate })
      const permits = new PermitQueue(requestRate)
      exchanges.push(exchange.run(stopping.signal))
      const take = async () => {
        while (takes.length < 60) {
          await permits.take()
          takes.push([process, performance.now()])
        }
      }
      await Promise.all(Array.from({ length: 6 }, take))
    })
    await Promise.all(processes)
    stopping.abort()
    await Promise.all(exchanges)
    const times = takes.slice(0, 60).map(([, at]) => at)
    expect((times[59] ?? 0) - (times[0] ?? 0)).toBeGreaterThan((0.75 * 59_000) / 60)
    const shares = [0, 1, 2].map((each) => takes.filter(([process]) => process === each).length)
    expect(Math.min(...shares)).toBeGreaterThan(5)
  })
})

describe('a process that uses some permits too late', () => {
  it('gets the next ones slightly closer together, until it has made up for them', async () => {
    const requestRate = new SharedRate(SharedRate.allocate(50, 1, true), 1)
    const requested: number[] = []
    const stopping = new AbortController()
    const queue = {
      reserve: async ([demand]: readonly RateDemand[]) => {
        requested.push(demand?.perSecond ?? 0)
        if (requested.length === 4) stopping.abort()
        return {
          now: performance.now(),
          grants: [{ delay: 0, count: requested.length === 1 ? 5 : 60 }],
        }
      },
    }
    const exchange = new RateExchange(queue, { requestRate })
    requestRate.setWaiting(200)
    const running = exchange.run(stopping.signal)
    await until(() => requestRate.reserved > 0)
    // All five permits are too late by now.
    requestRate.take(monotonicTime() + 1_000, 0)
    await running
    expect(requested).toEqual([50, 52.5, 52.5, 50])
  })
})
