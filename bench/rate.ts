/**
 * Measures at the server how well crawls keep `--rate` and `--bandwidth`: the mean over a minute, and the busiest
 * 100 ms. It runs one process with two workers, or several processes that share a job over Redis. It fails if the mean
 * is off by more than 3 %. It also fails if any 100 ms exceed a tenth of the limit by more than one request, or in
 * bytes, by more than one response per worker: each sends a request as soon as it has paid for the last one.
 *
 *   node bench/rate.ts [--rate 50/s | --bandwidth 500k] [--processes 1] [--seconds 60] [--size 2000] [--workers 2]
 *     [--nice]
 *
 * Times are those of the kernel, by tcpdump, which needs root. On a busy machine, processes wait for a core between a
 * permit and its request, which looks like bursts. `--nice` gives server, Redis and crawls priority over others.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parseBandwidth, parseRate } from '../src/config/units.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { crawlScript } from './measure/crawl-process.ts'
import { logPackets, type PacketLog } from './measure/packet-log.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string' },
    bandwidth: { type: 'string' },
    processes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    size: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '2' },
    nice: { type: 'boolean', default: false },
  },
})
/** Milliseconds at the start of the crawl that are not measured, since processes start one after the other. */
const WARM_UP_MS = 3_000
const WINDOW_MS = 100
/** Maximum deviation of the mean, as a share of the limit. */
const MAX_DEVIATION = 0.03
const processes = Number(values.processes)
const seconds = Number(values.seconds)

// Linux divides the cores among sessions first. Priorities count only within a session.
if (values.nice) writeFileSync('/proc/self/autogroup', '-20')
const script = new URL('./sites/page-trees.ts', import.meta.url).pathname
const serving = prioritized([script, `${processes}`, values.size])
const server = spawn(serving.program, serving.args, { stdio: ['ignore', 'pipe', 'inherit'] })
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
const origins: string[] = JSON.parse((await lines.next()).value ?? '[]')
const log = await logPackets(origins.map((origin) => Number(new URL(origin).port)))

const redis = processes > 1 ? await RedisServer.start() : undefined
if (redis !== undefined && values.nice) {
  const [, pid = ''] = /^process_id:(\d+)/m.exec(String(await redis.ask('INFO', 'server'))) ?? []
  setPriority(Number(pid), -20)
}
const shared = redis === undefined ? [] : ['--frontier', redis.url, '--job', 'rate']
const limits = [
  ...(values.rate === undefined ? [] : ['--rate', values.rate]),
  ...(values.bandwidth === undefined ? [] : ['--bandwidth', values.bandwidth]),
]
const options = ['-d', 'unlimited', '--no-traps', '-w', values.workers, '-q', '-o', '/dev/null']
const crawls = Array.from({ length: processes }, () => {
  const flags = [...origins, ...options, '--overwrite', ...shared, ...limits]
  const { program, args } = prioritized([crawlScript, ...flags])
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
})
try {
  while (log.requests.length === 0) await sleep(50)
  await sleep(WARM_UP_MS)
  const from = Date.now()
  await sleep(seconds * 1_000 + 2 * WINDOW_MS)
  report(log, from, from + seconds * 1_000)
} finally {
  await Promise.all(crawls.map((crawl) => stopped(crawl)))
  await log.stop()
  await redis?.close()
  server.kill()
}

function prioritized(script: readonly string[]) {
  if (!values.nice) return { program: process.execPath, args: script }
  return { program: 'nice', args: ['-n', '-20', process.execPath, ...script] }
}

async function stopped(crawl: (typeof crawls)[number]): Promise<void> {
  if (crawl.exitCode !== null) return
  const exit = once(crawl, 'exit')
  crawl.kill('SIGINT')
  const since = performance.now()
  await exit
  console.log(`ended ${((performance.now() - since) / 1_000).toFixed(1)} s after SIGINT`)
}

function report({ requests, sent }: PacketLog, from: number, to: number): void {
  const each = requests.map((at) => [at, 1] as const)
  const rate = values.rate === undefined ? undefined : parseRate(values.rate)
  reportLimit('requests', each.filter(isBetween(from, to)), rate, 1)
  const bandwidth = values.bandwidth === undefined ? undefined : parseBandwidth(values.bandwidth)
  const response = Math.max(...sent.map(([, bytes]) => bytes))
  const spare = response * Number(values.workers) * processes
  reportLimit('bytes', sent.filter(isBetween(from, to)), bandwidth, spare)
}

function isBetween(from: number, to: number) {
  return ([at]: readonly [number, number]) => at >= from && at < to
}

/** @param spare the number by which a window may exceed the limit */
function reportLimit(
  unit: string,
  counts: readonly (readonly [at: number, count: number])[],
  limit: number | undefined,
  spare: number,
): void {
  const mean = counts.reduce((sum, [, count]) => sum + count, 0) / seconds
  console.log(`${mean.toFixed(2)} ${unit}/s`)
  if (limit === undefined) return
  const deviation = mean / limit - 1
  const allowed = (limit * WINDOW_MS) / 1_000 + spare
  const windows = counts.map((_, first) => sumOfWindow(counts, first))
  const above = windows.filter((sum) => sum > allowed).length
  const full = `${Math.max(...windows)} ${unit}, ${allowed} allowed`
  console.log(`  ${(100 * deviation).toFixed(2)} % beside the limit of ${limit}/s`)
  console.log(`  fullest ${WINDOW_MS} ms: ${full}; ${above} of ${windows.length} windows above`)
  if (above > 0 || Math.abs(deviation) > MAX_DEVIATION) process.exitCode = 1
}

function sumOfWindow(counts: readonly (readonly [number, number])[], first: number): number {
  const end = (counts[first]?.[0] ?? 0) + WINDOW_MS
  let sum = 0
  for (let next = first; (counts[next]?.[0] ?? end) < end; next++) sum += counts[next]?.[1] ?? 0
  return sum
}
