import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Visit } from '../src/records/visit.ts'
import { generateGraph } from '../test/support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../test/support/graph-server.ts'
import { startJobProcess } from '../test/support/job-run.ts'
import { seededRandom } from '../test/support/random.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { BIN } from '../test/support/run-cli.ts'
import type { Absence, SiteServer } from '../test/support/site-server.ts'
import { parseFlags } from './measure/flags.ts'

// node bench/outages.ts [--rounds 10] [--hosts 10] [--pages 1500] [--every 5000] [--longest 5000] [--kills 0] [--redis] [-- flags]
// Crawls generated sites whose hosts fail at random moments, for a random time, in four ways. Meanwhile the crawl is
// killed several times, or two processes share it over Redis. Compares the output with the truth.
const { positionals, rounds, hosts, pages, every, longest, kills, ...flags } = parseFlags(
  {
    ...{ rounds: 10, hosts: 10, pages: 1_500, every: 5_000, longest: 5_000, kills: 0 },
    ...{ redis: false, seed: 1 },
  },
  true,
)
const DEPTH = 8
const ABSENCES: readonly Absence[] = ['refuses', 'resets', 'is-silent', 'is-busy']

let failed = 0
for (let round = 0; round < rounds; round++) {
  const seed = flags.seed + round
  const result = await crawlRound(seed, seededRandom(seed))
  if (result.problems.length > 0) failed++
  console.log(JSON.stringify(result))
}
process.exitCode = failed > 0 ? 1 : 0

async function crawlRound(seed: number, random: () => number) {
  const graph = generateGraph({ seed, pages, hosts, errors: 0.01 })
  const site = await startGraph(graph, { latencySeed: seed })
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-outages-'))
  const over = new AbortController()
  const outages = site.servers.map((server) => causeOutages(server, random, over.signal))
  const since = performance.now()
  const more = ['--timeout', '1s', '-w', '2', ...positionals]
  const about = ['-d', `${DEPTH}`, '--scope', 'any', '--allow-private', '--no-traps', '-q']
  const args = [...site.seeds, ...about, ...more]
  try {
    const { codes, visits } = flags.redis
      ? await crawlOverRedis(folder, args)
      : await crawlAlone(folder, args, random)
    const problems = problemsOf(visits, site)
    if (codes.some((code) => code !== 0)) problems.push(`exit codes ${codes}`)
    over.abort()
    const count = (await Promise.all(outages)).reduce((sum, each) => sum + each, 0)
    return {
      ...{ seed, seconds: Math.round((performance.now() - since) / 100) / 10, outages: count },
      ...{ urls: site.expected({ depth: DEPTH }).size, requests: requestsOf(site) },
      problems: problems.slice(0, 10),
    }
  } finally {
    over.abort()
    await Promise.all(outages)
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes a server fail and recover until the signal aborts. Returns the number of outages. */
async function causeOutages(
  server: SiteServer,
  random: () => number,
  signal: AbortSignal,
): Promise<number> {
  let times = 0
  while (!signal.aborted) {
    await sleep(random() * 2 * every, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    server.leave(ABSENCES[Math.floor(random() * ABSENCES.length)])
    times++
    await sleep(random() ** 2 * longest, undefined, { signal }).catch(() => {})
    await server.comeBack()
  }
  return times
}

async function crawlAlone(folder: string, args: readonly string[], random: () => number) {
  const output = join(folder, 'out.jsonl')
  const kept = kills > 0 ? ['--state', join(folder, 'state')] : []
  let left = kills
  for (;;) {
    const child = spawn(process.execPath, [BIN, ...args, '-o', output, ...kept], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (left-- > 0) void killSoon(child, random)
    await once(child, 'close')
    if (child.exitCode === null) continue
    return { codes: [child.exitCode], visits: await visitsIn(output) }
  }
}

async function killSoon(child: ChildProcess, random: () => number): Promise<void> {
  await sleep(500 + random() * 5_000)
  child.kill('SIGKILL')
}

async function crawlOverRedis(folder: string, args: readonly string[]) {
  const redis = await RedisServer.start()
  try {
    const processes = [0, 1].map((index) =>
      startJobProcess({ folder, name: `${index}`, redis: [redis.url], job: 'outages', args }),
    )
    const codes = await Promise.all(processes.map(({ ended }) => ended))
    return { codes, visits: (await Promise.all(processes.map((each) => each.visits()))).flat() }
  } finally {
    await redis.close()
  }
}

function problemsOf(visits: readonly Visit[], { expected }: StartedGraph): string[] {
  const truth = expected({ depth: DEPTH })
  const found = new Map(visits.map((visit) => [visit.url, visit]))
  const twice = visits.length - found.size
  return [
    ...(twice > 0 ? [`${twice} records more than URLs`] : []),
    ...[...truth.keys()].filter((url) => !found.has(url)).map((url) => `missing: ${url}`),
    ...[...found].flatMap(([url, { status, error }]) => {
      const expects = truth.get(url)
      if (expects === undefined) return [`unknown: ${url}`]
      const is = `${status ?? ''} ${error?.code ?? ''}`.trim()
      return is === `${expects.status}` ? [] : [`${is}, not ${expects.status}: ${url}`]
    }),
  ]
}

function requestsOf({ servers }: StartedGraph): number {
  return servers.reduce((sum, { requests }) => sum + requests.length, 0)
}

async function visitsIn(file: string): Promise<Visit[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
