/**
 * Compares the pages per second of one process over Redis with those of the same process on its own queue, and those of
 * two processes with those of one. The figures are medians of runs that take turns, with the CPU time of the processes.
 * The second comparison uses two hosts (the same site on two ports), since only one process at a time may crawl a host,
 * and then one host.
 *
 *   node bench/redis-throughput.ts [--rounds 5] [--site boost]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RedisServer } from '../test/support/redis-server.ts'
import { crawlScript } from './measure/crawl-process.ts'
import { spreadOf } from './measure/statistics.ts'
import { timedRun } from './measure/timed-run.ts'
import { installedSites } from './sites/debian-sites.ts'
import { serveSites } from './sites/nginx.ts'

/** A way to crawl that is measured. */
interface Way {
  readonly name: string
  readonly hosts: number
  readonly processes: number
  readonly workers: number
  readonly isShared: boolean
}

interface Sample {
  /** Pages per second, from the start of the first process to the end of the last. */
  readonly rate: number
  readonly cpuSeconds: number
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, site: { type: 'string', default: 'boost' } },
})
const rounds = Number(values.rounds)
const files = installedSites().find(({ name }) => name === values.site)
if (files === undefined) throw new Error(`expected an installed site, got ${values.site}`)
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-throughput-'))
const redis = await RedisServer.start('--appendonly', 'yes')
const host = await serveSites(folder, [files, files])
const seeds = host.sites.map(({ origin, seed }) => origin + seed)

const own = way('own queue, 2 workers', { isShared: false })
const redisOne = way('Redis, 2 workers', {})
const [single, double] = [1, 2].map((processes) =>
  way(`Redis, ${processes} process(es) of 1 worker, 2 hosts`, { processes, workers: 1, hosts: 2 }),
)
const [singleOnOne, doubleOnOne] = [1, 2].map((processes) =>
  way(`Redis, ${processes} process(es) of 1 worker, 1 host`, { processes, workers: 1 }),
)
const threads = way('Redis, 1 process of 2 workers, 2 hosts', { hosts: 2 })
const samples = new Map<Way, Sample[]>()

function way(name: string, more: Partial<Way>): Way {
  return { name, hosts: 1, processes: 1, workers: 2, isShared: true, ...more }
}

async function run({ hosts, processes, workers, isShared }: Way, job: string): Promise<Sample> {
  await redis.ask('FLUSHALL')
  const limits = ['-d', '100', '--per-host', '64', '-w', `${workers}`, '-q', '--overwrite']
  const frontier = isShared ? ['--frontier', redis.url, '--job', job] : []
  const outputs = Array.from({ length: processes }, (_, index) => join(folder, `${index}.jsonl`))
  const began = performance.now()
  const runs = await Promise.all(
    outputs.map((output) => {
      const crawl = [process.execPath, crawlScript, ...seeds.slice(0, hosts), ...limits]
      return timedRun([...crawl, ...frontier, '-o', output])
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  if (runs.some(({ exitCode }) => exitCode !== 0)) throw new Error('a crawl has failed')
  const pages = outputs.reduce((sum, output) => sum + linesIn(output), 0)
  expectPages(pages / hosts)
  return {
    rate: pages / seconds,
    cpuSeconds: runs.reduce((sum, each) => sum + each.cpuMs, 0) / 1_000,
  }
}

let pagesOfHost: number | undefined

/** Checks that all ways find the same number of pages. */
function expectPages(pages: number): void {
  pagesOfHost ??= pages
  if (pages !== pagesOfHost) throw new Error(`expected ${pagesOfHost} pages per host, got ${pages}`)
}

function linesIn(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

async function compare(ways: readonly (Way | undefined)[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const each of ways) {
      if (each === undefined) continue
      const sample = await run(each, `${each.name}-${round}`.replace(/\W+/g, '-'))
      samples.set(each, [...(samples.get(each) ?? []), sample])
    }
  }
}

function print(each: Way): void {
  const all = samples.get(each) ?? []
  const { median, least, most } = spreadOf(all.map(({ rate }) => rate))
  const cpu = spreadOf(all.map(({ cpuSeconds }) => cpuSeconds)).median.toFixed(2)
  const range = `${least.toFixed(0)} to ${most.toFixed(0)}`
  console.log(`${each.name}: ${median.toFixed(0)} pages/s (${range}), ${cpu} s of CPU`)
}

/** Prints the ratio between two ways, from pairs of runs in the same round. */
function printRatio(of: Way | undefined, to: Way | undefined): void {
  if (of === undefined || to === undefined) return
  const base = samples.get(to) ?? []
  const ratios = (samples.get(of) ?? []).map(({ rate }, round) => rate / (base[round]?.rate ?? 0))
  const { median, least, most } = spreadOf(ratios)
  const range = `${least.toFixed(2)} to ${most.toFixed(2)}`
  console.log(`(${of.name}) : (${to.name}) = ${median.toFixed(2)} (${range})`)
}

try {
  await compare([own, redisOne])
  await compare([single, double, threads])
  await compare([singleOnOne, doubleOnOne])
  for (const each of samples.keys()) print(each)
  printRatio(redisOne, own)
  printRatio(double, single)
  printRatio(double, threads)
  printRatio(doubleOnOne, singleOnOne)
} finally {
  await host.close()
  await redis.close()
  rmSync(folder, { recursive: true, force: true })
}
