import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { showJob } from '../../src/cluster/redis/job-control.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { countRequests, startGraph } from '../support/graph-server.ts'
import { startAgent } from '../support/job-agent.ts'
import { startJobProcess } from '../support/job-run.ts'
import { connect } from '../support/redis-server.ts'
import { freshName, REDIS_SETUPS, type Redis } from '../support/redis-setups.ts'
import { serve } from '../support/serve.ts'
import { startSlowSite } from '../support/slow-site.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const DEPTH = 3
const LIMITS = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
/** Number of requests before the process that made them is killed, and of all requests before Redis is. */
const [BEFORE_KILL, BEFORE_OUTAGE] = [20, 40]
const path = useFolder()

describe.each(chosen(REDIS_SETUPS, (_, at) => at === 0))(
  'a job over %s with AOF',
  (_, startRedis) => {
    let redis: Redis

    beforeAll(async () => {
      redis = await startRedis()
    })

    it('continues after a process was killed and Redis restarted, without losing a page', async () => {
      const back = Promise.withResolvers<void>()
      const graph = generateGraph({ seed: 5, pages: 80, hosts: 6, errors: 0 })
      const gate = () => (countRequests(site) > BEFORE_OUTAGE ? back.promise : undefined)
      const site = await startGraph(graph, { gate })
      onTestFinished(() => site.close())
      const args = [...site.seeds, ...LIMITS, '--delay', '30ms', '--workers', '1', '--lease', '2s']
      const job = freshName()
      const victim = startJobProcess({ folder: path(), name: 'a', redis: [redis.url], job, args })
      await until(() => countRequests(site) > BEFORE_KILL)
      victim.child.kill('SIGKILL')
      await victim.ended
      const heir = startAgent({
        ...{ seeds: [...site.seeds], depth: DEPTH, scope: 'any', allowPrivate: true, retries: 0 },
        ...{ delay: '30ms', lease: '2s', frontier: [redis.url], job },
      })
      await until(() => countRequests(site) > BEFORE_OUTAGE)
      await redis.kill()
      await until(() => heir.log().includes('the crawl waits'))
      await redis.run()
      back.resolve()
      const { visits } = await heir.ended
      expect(heir.log()).toContain('answers again')
      const depths = new Map([...(await victim.visits()), ...visits].map((v) => [v.url, v.depth]))
      const expected = [...site.expected({ depth: DEPTH })].map(([url, { depth }]) => [url, depth])
      expect([...depths].toSorted()).toEqual(expected.toSorted())
      expect(new Set(visits.map(({ url }) => url)).size).toBe(visits.length)
      // Records of the killed process that it had not reported exist twice.
      const servers = await connect(redis.url)
      onTestFinished(() => servers.close())
      expect((await showJob(servers, job)).visits).toBe(expected.length)
    })

    it('fetches no more pages of a host than --max-per-host after a process was killed', async () => {
      const links = Array.from({ length: 40 }, (_, page) => `<a href=/${page}>`).join('')
      const site = await serve(async ({ url }, response) => {
        if (url !== '/') await sleep(50)
        response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? links : '')
      })
      const limits = ['--ignore-robots', '--per-host', '2', '--max-per-host', '9', '--lease', '2s']
      const args = [`${site.url}/`, '--workers', '1', ...limits]
      const run = { folder: path(), redis: [redis.url], job: freshName(), args }
      const victim = startJobProcess({ ...run, name: 'killed' })
      await until(() => site.requests.length === 5)
      victim.child.kill('SIGKILL')
      await victim.ended
      const heir = startJobProcess({ ...run, name: 'heir' })
      expect(await heir.ended).toBe(0)
      const records = [...(await victim.visits()), ...(await heir.visits())]
      expect(new Set(records.map(({ url }) => url)).size).toBe(9)
    })

    it('ignores the response of a process that was stopped for longer than its lease, which logs that', async () => {
      const site = await startSlowSite()
      onTestFinished(() => site.close())
      const settings = { seeds: [site.url], depth: 1, lease: '2s' }
      const args = [
        site.url,
        '--depth',
        '1',
        '--workers',
        '1',
        '--lease',
        '2s',
        '--log-level',
        'warn',
      ]
      const job = freshName()
      const paused = startJobProcess({ folder: path(), name: 'a', redis: [redis.url], job, args })
      onTestFinished(() => void paused.child.kill('SIGKILL'))
      // This request is in flight there, and gets its response only after another process took over its host. All
      // others are reported.
      await until(() => site.requests.some(({ url }) => url === '/slow'))
      const servers = await connect(redis.url)
      await until(async () => (await showJob(servers, job)).open === 1)
      servers.close()
      paused.child.kill('SIGSTOP')
      const stoppedAt = performance.now()
      const { visits } = await startAgent({ ...settings, frontier: [redis.url], job }).ended
      site.answer()
      // A lease that was renewed some time ago may end before a whole lease is over.
      await until(() => performance.now() - stoppedAt > 2_000)
      paused.child.kill('SIGCONT')
      expect(await paused.ended).toBe(0)
      expect(paused.stderr()).toMatch(
        /"This process was away for [\d.]+ s, longer than its lease of 1.5 s: /,
      )
      const records = [...(await paused.visits()), ...visits].map(({ url }) =>
        url.slice(site.url.length),
      )
      expect(records.toSorted()).toEqual(['/', '/quick', '/slow'])
      expect(visits.find(({ url }) => url.endsWith('/slow'))?.attempts).toBeGreaterThan(1)
    })
  },
)
