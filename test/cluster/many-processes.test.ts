import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { showJob } from '../../src/cluster/redis/job-control.ts'
import type { Visit } from '../../src/records/visit.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../support/graph-server.ts'
import { startAgent } from '../support/job-agent.ts'
import { finishAll, startJobProcess } from '../support/job-run.ts'
import { connect } from '../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'
import { gapsOf, startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const DEPTH = 4
const DELAY_MS = 30
/** Tolerance for the clocks of several processes, and for timers that are truncated to whole milliseconds. */
const TOLERANCE_MS = 1
const HOSTS = 20
const [PROCESSES, AGENTS] = [1, 3]

// Processes take longer to start than all the rest, so three of the four are agents of this one.n a server.
describe.each(REDIS_SETUPS.slice(-1))(
  'four processes on one job over 20 hosts, on %s',
  (_, start) => {
    const path = useFolder()
    const opening = Promise.withResolvers<void>()
    let url: string
    let site: StartedGraph

    beforeAll(async () => {
      url = (await start()).url
      const graph = generateGraph({ seed: 8, pages: 110, hosts: HOSTS, errors: 0.02 })
      site = await startGraph(graph, { latencySeed: 3, gate: () => opening.promise })
    })

    afterAll(() => site.close())

    it('visit each URL once, at its true depth, as politely as one process', async () => {
      const expected = site.expected({ depth: DEPTH })
      const job = freshName()
      const children = Array.from({ length: PROCESSES }, (_, index) =>
        startJobProcess({
          folder: path(),
          name: `${index}`,
          redis: [url],
          job,
          args: argsFor(site),
        }),
      )
      const agents = Array.from({ length: AGENTS }, () =>
        startAgent({ ...settingsFor(site), frontier: [url], job }),
      )
      await allHere(url, job)
      opening.resolve()
      const ofAgents = await Promise.all(agents.map(async ({ ended }) => (await ended).visits))
      const visits = [...(await finishAll(children)), ...ofAgents.flat()]

      expect(byUrl(visits)).toEqual(
        [...expected].map(([url, { depth }]) => [url, depth]).toSorted(),
      )
      expect(new Set(visits.map((visit) => Reflect.get(visit, 'agent'))).size).toBeGreaterThan(1)
      for (const server of site.servers) {
        const { requests, url: origin } = server
        const requested = requests.map(({ url }) => url)
        expect(requested.toSorted()).toEqual([...new Set(requested)].toSorted())
        const pages = requested.filter((url) => url !== '/robots.txt').map((url) => origin + url)
        expect(pages.every((url) => expected.has(url))).toBe(true)
        expect(Math.min(...gapsOf(server))).toBeGreaterThanOrEqual(DELAY_MS - TOLERANCE_MS)
      }
    })
  },
)

describe.each(REDIS_SETUPS.slice(-1))(
  'two processes that start at the same time with the same 110 seeds, on %s',
  (_, start) => {
    it('fetch 100 of them once each, and filter the others', async () => {
      const { url } = await start()
      const site = await startServer((_request, response) => void response.end('page'))
      const words = [...Array(10).keys(), ...Array(100).keys()]
      const seeds = words.map((word) => `${site.url}/s?wd=${word}`)
      const settings = { seeds, frontier: [url], job: freshName(), ignoreRobots: true, depth: 0 }
      const runs = await Promise.all([startAgent(settings).ended, startAgent(settings).ended])
      await site.close()
      const visits = runs.flatMap((run) => run.visits.map(({ url }) => url))
      expect(visits.toSorted()).toEqual([...new Set(seeds)].toSorted())
      expect(site.requests).toHaveLength(100)
      const filtered = runs.map(({ summary }) => summary.skipped['duplicate'] ?? 0)
      expect(filtered.reduce((sum, count) => sum + count)).toBe(10 + 10 + 100)
      expect(runs.map(({ summary }) => summary.reason)).toEqual(['finished', 'finished'])
    })
  },
)

/** Resolves when all processes have joined. */
async function allHere(url: string, job: string): Promise<void> {
  const servers = await connect(url)
  const agents = async () => (await showJob(servers, job).catch(() => undefined))?.agents
  await until(async () => (await agents()) === PROCESSES + AGENTS)
  servers.close()
}

function argsFor({ seeds }: StartedGraph): string[] {
  const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
  return [...seeds, ...limits, '--delay', `${DELAY_MS}ms`, '--workers', '1', '-q']
}

/** Returns the same settings as an object. */
function settingsFor({ seeds }: StartedGraph) {
  const limits = { depth: DEPTH, scope: 'any', allowPrivate: true, retries: 0 } as const
  return { seeds: [...seeds], ...limits, delay: `${DELAY_MS}ms` }
}

function byUrl(visits: readonly Visit[]): [string, number][] {
  return visits.map(({ url, depth }): [string, number] => [url, depth]).toSorted()
}
