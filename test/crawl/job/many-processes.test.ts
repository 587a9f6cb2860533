import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visit } from '../../../src/wire/visit.ts'
import { generateGraph } from '../../support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../../support/graph-server.ts'
import { finishAll, startJobProcess } from '../../support/job-run.ts'
import { RedisCluster } from '../../support/redis-cluster.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { useFolder } from '../../support/state-run.ts'

const DEPTH = 4
/** Long enough for one process not to be done before the others begin. */
const DELAY_MS = 80
const HOSTS = 20

describe('three processes on one job over 20 hosts', () => {
  const path = useFolder()
  let redis: RedisServer | RedisCluster
  let site: StartedGraph

  beforeAll(async () => {
    redis = await (process.env['REDIS_CLUSTER'] ? RedisCluster : RedisServer).start()
    site = await startGraph(generateGraph({ seed: 8, pages: 400, hosts: HOSTS, errors: 0.02 }), {
      latencySeed: 3,
    })
  })

  afterAll(async () => {
    await site.close()
    await redis.close()
  })

  it('visit each URL once, at its true depth, with the manners of one', async () => {
    const expected = site.expected({ depth: DEPTH })
    const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
    const manners = ['--delay', `${DELAY_MS}ms`, '--workers', '1', '-q']
    const args = [...site.seeds, ...limits, ...manners]
    const processes = ['a', 'b', 'c'].map((name) =>
      startJobProcess({ folder: path(), name, redis: [redis.url], job: 'graph', args }),
    )
    const visits = await finishAll(processes)

    expect(byUrl(visits)).toEqual([...expected].map(([url, { depth }]) => [url, depth]).toSorted())
    expect(new Set(visits.map((visit) => Reflect.get(visit, 'agent'))).size).toBeGreaterThan(1)
    for (const { requests, url: origin } of site.servers) {
      const asked = requests.map(({ url }) => url)
      expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
      const pages = asked.filter((url) => url !== '/robots.txt').map((url) => origin + url)
      expect(pages.every((url) => expected.has(url))).toBe(true)
      expect(shortestGap(requests)).toBeGreaterThanOrEqual(DELAY_MS - 1)
    }
  })
})

function byUrl(visits: readonly Visit[]): [string, number][] {
  return visits.map(({ url, depth }): [string, number] => [url, depth]).toSorted()
}

/** Milliseconds from an answer to the next request: below 0 when two were under way. */
function shortestGap(requests: StartedGraph['servers'][number]['requests']): number {
  const gaps = requests.slice(1).map(({ startedAt }, index) => {
    return startedAt - (requests[index]?.answeredAt ?? 0)
  })
  return Math.min(...gaps)
}
