import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateGraph } from '../test/support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../test/support/graph-server.ts'
import { finishAll, startJobProcess } from '../test/support/job-run.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { gapsOf } from '../test/support/site-server.ts'
import { ReplicatedCluster } from './measure/replicated-cluster.ts'

// node bench/redis-faults.ts <fault> [--seconds 60]
// Processes of one job while Redis is away, silent or out of memory, or a master of a cluster dies for good:
// what is in the outputs and in the servers' logs, against the truth.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    processes: { type: 'string', default: '3' },
    pages: { type: 'string', default: '2000' },
  },
})
const DEPTH = 6
const DELAY_MS = 40
const ms = Number(values.seconds) * 1_000

/** A Redis, and what happens to it. */
interface Ordeal {
  readonly urls: readonly string[]
  strike(): Promise<void>
  close(): Promise<void>
}

async function onServer(strike: (redis: RedisServer) => Promise<unknown>): Promise<Ordeal> {
  const redis = await RedisServer.start('--appendonly', 'yes')
  return {
    urls: [redis.url],
    strike: async () => void (await strike(redis)),
    close: () => redis.close(),
  }
}

const FAULTS: Readonly<Record<string, () => Promise<Ordeal>>> = {
  away: () =>
    onServer(async (redis) => {
      await redis.kill()
      await sleep(ms)
      await redis.run()
    }),
  silent: () =>
    onServer(async (redis) => {
      redis.signal('SIGSTOP')
      await sleep(ms)
      redis.signal('SIGCONT')
    }),
  memory: () =>
    onServer(async (redis) => {
      await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
      await sleep(ms)
      await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
    }),
  'fail-over': async () => {
    const cluster = await ReplicatedCluster.start()
    return {
      urls: cluster.urls,
      strike: () => cluster.killMaster(),
      close: () => cluster.close(),
    }
  },
}

const start = FAULTS[positionals[0] ?? '']
if (start === undefined) throw new Error(`expected one of ${Object.keys(FAULTS)}`)
const ordeal = await start()
const shape = { seed: 1, pages: Number(values.pages), hosts: 20 }
const site = await startGraph(generateGraph({ ...shape, errors: 0.02 }), { latencySeed: 7 })
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-faults-'))
try {
  console.log(JSON.stringify({ fault: positionals[0], ...(await crawl(ordeal, site)) }, null, 2))
} finally {
  await rm(folder, { recursive: true, force: true })
  await site.close()
  await ordeal.close()
}

async function crawl({ urls, strike }: Ordeal, { seeds, servers, expected }: StartedGraph) {
  const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
  const args = [...seeds, ...limits, '--delay', `${DELAY_MS}ms`, '--workers', '1']
  const processes = Array.from({ length: Number(values.processes) }, (_, index) =>
    startJobProcess({ folder, name: `p${index}`, redis: urls, job: 'faults', args }),
  )
  const requests = () => servers.flatMap((server) => server.requests.map((r) => server.url + r.url))
  const truth = expected({ depth: DEPTH })
  while (requests().length < truth.size / 4) await sleep(20)
  const before = requests().length
  await strike()
  const meanwhile = requests().length - before
  const visits = await finishAll(processes)
  const found = new Map(visits.map((visit) => [visit.url, visit.depth]))
  return {
    ...{ urls: truth.size, missing: [...truth.keys()].filter((url) => !found.has(url)).length },
    ...{ records: visits.length, requests: requests().length },
    repeats: requests().length - new Set(requests()).size,
    wrongDepth: [...found].filter(([url, depth]) => truth.get(url)?.depth !== depth).length,
    requestsMeanwhile: meanwhile,
    shortestPauseMs: Math.min(...servers.flatMap(gapsOf)),
    said: processes.map(({ stderr }) => sayingsIn(stderr())),
  }
}

/** What a process told of Redis. */
function sayingsIn(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line.includes('"redis"'))
  return lines.map((line) => JSON.parse(line).msg)
}
