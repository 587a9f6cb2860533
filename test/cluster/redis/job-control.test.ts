import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import { silentLogger } from '../../../src/logger.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { until } from '../../support/until.ts'
import { joinFresh } from '../job-queue-contract.ts'

it("a job is shown while its server can't save its data and rejects writes", async (context) => {
  const redis = await RedisServer.start()
  context.onTestFinished(() => redis.close())
  const store = await openRedisJobStore([redis.url], silentLogger(), 1_000)
  context.onTestFinished(() => store.close())
  const { name } = await joinFresh(store)
  await mkdir(join(redis.folder, 'dump.rdb'))
  await redis.ask('CONFIG', 'SET', 'save', '3600 1')
  await redis.ask('BGSAVE')
  await until(async () => (await redis.ask('SET', 'ow:key', '1')).startsWith('MISCONF'))
  expect(await store.show(name)).toMatchObject({ job: name, state: 'running', open: 0 })
  await expect(store.control(name, 'pause')).rejects.toThrow("can't save its data")
})
