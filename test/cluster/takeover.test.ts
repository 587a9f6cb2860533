import { expect, it } from 'vitest'
import { RedisServer } from '../support/redis-server.ts'
import { freshName } from '../support/redis-setups.ts'
import { useFolder } from '../support/state-run.ts'
import { measureTakeover } from '../support/takeover.ts'

const LEASE_MS = 3_000
const path = useFolder()

// bench/redis-takeover.ts has more hosts, and three survivors.
it('a busy process requests the hosts of a killed one within one lease', async () => {
  const redis = await RedisServer.start()
  const plan = { redis, folder: path(), job: freshName(), survivors: 1, lease: LEASE_MS }
  const few = { hosts: 30, pages: 120, concurrency: 8, latency: 300, delay: 0 }
  const { hosts, waits, takenFromSlow, overlappingRequests } = await measureTakeover({
    ...plan,
    ...few,
  })
  await redis.close()
  expect(hosts).toBeGreaterThan(10)
  // The hosts of a process that is stopped for half of a lease stay with it.
  expect([takenFromSlow, overlappingRequests]).toEqual([0, 0])
  // It takes 0.8 leases, and more on a busy machine. Without preference they would wait until all other hosts are done.
  expect(waits.map((wait) => wait / LEASE_MS).filter((leases) => leases > 5)).toEqual([])
})
