import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { RetryingClient } from '../../../src/cluster/redis/retrying-client.ts'
import { createLogger } from '../../../src/logger.ts'
import { RedisServer } from '../../support/redis-server.ts'

it('Redis is not said to be silent after this process was stopped while the reply arrived', async () => {
  const redis = await RedisServer.start()
  const stream = new PassThrough().setEncoding('utf8')
  const logger = await createLogger({ level: 'info', stream, pretty: false })
  const client = await RetryingClient.open(redis.url, logger, Number.POSITIVE_INFINITY)
  onTestFinished(async () => {
    client.close()
    await redis.close()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reply = client.command('ow:a', 'BLPOP', 'ow:a', '0.1')
  await sleep(20)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  vi.advanceTimersByTime(6_000)
  expect(await reply).toBeNull()
  expect(stream.read()).toBeNull()
})
