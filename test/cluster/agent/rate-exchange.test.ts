import { describe, expect, it, onTestFinished } from 'vitest'
import { RateExchange } from '../../../src/cluster/agent/rate-exchange.ts'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import { silentLogger } from '../../../src/logger.ts'
import { PermitQueue } from '../../../src/throttle/permit-queue.ts'
import { SharedRate } from '../../../src/throttle/shared-rate.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { joinFresh } from '../job-queue-contract.ts'

describe.each(REDIS_SETUPS.slice(0, 1))('processes that share a rate on %s', (_, start) => {
  it('have it together, none of them starved', async () => {
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
