import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateGraph } from '../test/support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../test/support/graph-server.ts'
import { finishAll, type JobProcess, startJobProcess } from '../test/support/job-run.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { gapsOf } from '../test/support/site-server.ts'
import { parseFlags } from './measure/flags.ts'
import { ReplicatedCluster } from './measure/replicated-cluster.ts'

// node bench/redis-faults.ts <fault> [--seconds 60]
// Runs the processes of one job during a fault. Redis is down, silent or out of memory, or a master of a cluster dies.
// Or one of the processes is stopped for longer than its lease, or suspended with its machine. Compares the outputs and
// the logs of the servers with the truth.
const {
  positionals,
  seconds,
  processes: count,
  pages,
} = parseFlags({ seconds: 60, processes: 3, pages: 2_000 }, true)
const DEPTH = 6
const DELAY_MS = 40
/** The lease in faults that stop a process. */
const SHORT_LEASE = '3s'
/** A module that stops the monotonic clock while its process is stopped, as happens while a machine is suspended. */
const FROZEN_CLOCK = new URL('./measure/frozen-clock.ts', import.meta.url).href
const ms = seconds * 1_000

/** The Redis and the settings of a job, and the fault that occurs. */
interface Ordeal {
  readonly urls: readonly string[]
  /** Options of node for the first process. */
  readonly nodeOptions?: string
  readonly lease?: string
  strike(first: JobProcess): Promise<void>
  close(): Promise<void>
}

async function onServer(
  strike: (redis: RedisServer, first: JobProcess) => Promise<unknown>,
  about: Pick<Ordeal, 'lease' | 'nodeOptions'> = {},
): Promise<Ordeal> {
  const redis = await RedisServer.start('--appendonly', 'yes')
  return {
    urls: [redis.url],
    ...about,
    strike: async (first) => void (await strike(redis, first)),
    close: () => redis.close(),
  }
}

async function stop(_: RedisServer, { child }: JobProcess): Promise<void> {
  child.kill('SIGSTOP')
  await sleep(ms)
  child.kill('SIGCONT')
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
  stopped: () => onServer(stop, { lease: SHORT_LEASE }),
  suspended: () => onServer(stop, { lease: SHORT_LEASE, nodeOptions: `--import ${FROZEN_CLOCK}` }),
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
const shape = { seed: 1, pages, hosts: 20 }
const site = await startGraph(generateGraph({ ...shape, errors: 0.02 }), { latencySeed: 7 })
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-faults-'))
try {
  console.log(JSON.stringify({ fault: positionals[0], ...(await crawl(ordeal, site)) }, null, 2))
} finally {
  await rm(folder, { recursive: true, force: true })
  await site.close()
  await ordeal.close()
}

async function crawl(
  { urls, strike, lease = '30s', nodeOptions }: Ordeal,
  { seeds, servers, expected }: StartedGraph,
) {
  const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
  const args = [...seeds, ...limits, '--delay', `${DELAY_MS}ms`, '--workers', '1', '--lease', lease]
  const processes = Array.from({ length: count }, (_, index) => {
    const env = index === 0 && nodeOptions !== undefined ? { NODE_OPTIONS: nodeOptions } : {}
    return startJobProcess({ folder, name: `p${index}`, redis: urls, job: 'faults', args, env })
  })
  const requests = () => servers.flatMap((server) => server.requests.map((r) => server.url + r.url))
  const truth = expected({ depth: DEPTH })
  while (requests().length < truth.size / 4) await sleep(20)
  const before = requests().length
  const [first] = processes
  if (first !== undefined) await strike(first)
  const meanwhile = requests().length - before
  const visits = await finishAll(processes)
  const found = new Map(visits.map((visit) => [visit.url, visit.depth]))
  return {
    ...{ urls: truth.size, missing: [...truth.keys()].filter((url) => !found.has(url)).length },
    ...{ records: visits.length, requests: requests().length },
    repeats: requests().length - new Set(requests()).size,
    wrongDepth: [...found].filter(([url, depth]) => truth.get(url)?.depth !== depth).length,
    recordsTwice: visits.length - found.size,
    requestsMeanwhile: meanwhile,
    shortestPauseMs: Math.min(...servers.flatMap(gapsOf)),
    redisMessages: processes.map(({ stderr }) => redisMessagesIn(stderr())),
  }
}

/** Returns the log messages of a process about Redis, and about its own absence. */
function redisMessagesIn(stderr: string): string[] {
  const isRelevant = (line: string) => line.includes('"redis"') || line.includes('was away for')
  const lines = stderr.split('\n').filter(isRelevant)
  return lines.map((line) => JSON.parse(line).msg)
}
