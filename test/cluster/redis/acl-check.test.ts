import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { COMMANDS, checkAcl } from '../../../src/cluster/redis/acl-check.ts'
import { controlJob, deleteJob, listJobs, showJob } from '../../../src/cluster/redis/job-control.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import { SHARED_SEEN_NAMES } from '../../../src/config/settings/seen-settings.ts'
import { silentLogger } from '../../../src/logger.ts'
import { addUser, RIGHTS } from '../../support/redis-rights.ts'
import { connect } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'

const SCRIPTS = new URL('../../../src/cluster/redis/scripts/', import.meta.url)
/** Commands that are used only outside of scripts. */
const OUTSIDE = ['info', 'scan', 'unlink', 'hsetnx', 'eval', 'evalsha']
const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const
const OF_CLUSTERS = ['cluster|slots', 'asking']

it('the rights in docs/redis.md are those of the commands in use', () => {
  const used = readdirSync(SCRIPTS).flatMap((name) => {
    const text = readFileSync(new URL(name, SCRIPTS), 'utf8')
    return [...text.matchAll(/call\('([A-Z]+)'/g)].map(([, command = '']) => command.toLowerCase())
  })
  expect(COMMANDS.toSorted()).toEqual([...new Set([...used, ...OUTSIDE])].toSorted())
  const commands = [...COMMANDS, ...OF_CLUSTERS].map((command) => `+${command}`)
  expect(RIGHTS.toSorted()).toEqual(['reset', 'on', '>password', '~ow:*', ...commands].toSorted())
})

describe.each(REDIS_SETUPS)('on %s', (_, setup) => {
  it('a user with these rights can do everything that a job needs', async () => {
    const redis = await setup()
    const servers = await connect(await addUser(redis, 'orbweaver', RIGHTS))
    onTestFinished(() => servers.close())
    await checkAcl(servers.all)
    for (const name of SHARED_SEEN_NAMES) {
      const seen = { name, expectedUrls: 9, falsePositiveRate: 0.01, forgetAfter: 60_000 }
      const job = await RedisJobQueue.join(servers, freshName(), {}, seen)
      const url = 'http://a.b/'
      await job.push(0, [{ url, host: 'a.b', depth: 0, text: url }])
      const ask = {
        agent: 'a',
        ttl: 60_000,
        longestPause: 0,
        maxDepth: 0,
        hosts: 1,
        batch: 9,
        held: [],
      }
      const [host] = (await job.exchange(0, ask)).hosts
      const { epoch = '', urls = [] } = host ?? {}
      const leaseReport = {
        host: 'a.b',
        epoch,
        unfinished: 0,
        want: 0,
        wait: 0,
        past: '{}',
        robots: { a: 'b' },
      }
      const held = [{ ...leaseReport, done: urls.map(({ id }) => [id, 7] as const), release: true }]
      expect((await job.exchange(0, { ...ask, held, others: [] })).lost).toEqual([])
      const seedHosts = [{ host: 'a.b:80', isPrivate: false }]
      const beat = { agent: 'a', isHungry: true, widened: [url], seedHosts }
      await job.watchPartitions(0, 60_000)
      await job.beat({ ...beat, ttl: 1_000 })
      expect(await showJob(servers, job.name)).toMatchObject({ open: 0, visits: 1, bytes: 7 })
      await controlJob(servers, job.name, 'stop')
      await job.beat({ ...beat, ttl: 0 })
      await deleteJob(servers, job.name)
      expect(await listJobs(servers)).not.toContain(job.name)
    }
  })

  it('a right that is missing to delete a job is named', async () => {
    const redis = await setup()
    const rights = RIGHTS.filter((right) => right !== '+scan')
    const store = await openRedisJobStore([await addUser(redis, 'no-scan', rights)], silentLogger())
    onTestFinished(() => store.close())
    const servers = await connect(redis.url)
    onTestFinished(() => servers.close())
    const { name } = await RedisJobQueue.join(servers, freshName(), {}, SEEN)
    const error = await store.delete(name).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'redis', message: expect.stringContaining('scan') })
  })
})
