/**
 * How well `--rate` and `--bandwidth` are kept, as the server measures it: the mean over a minute beside the limit, and
 * the fullest 100 ms. One process with two workers, or some processes that share a job over Redis.
 *
 *   node bench/rate.ts [--rate 50/s | --bandwidth 500k] [--processes 1] [--seconds 60] [--size 2000] [--workers 2]
 *     [--nice]
 *
 * On a busy machine processes wait for a core between a permit and its request, or before they note a request, which
 * looks like bursts. `--nice` lets server, Redis and crawls run before others, which takes root.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parseBandwidth, parseRate } from '../src/config/units.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { crawlScript } from './measure/crawl-process.ts'

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
/** Milliseconds of the crawl that are not measured, since processes start one after the other. */
const WARM_UP_MS = 3_000
const WINDOW_MS = 100
const processes = Number(values.processes)
const seconds = Number(values.seconds)

interface Notes {
  readonly requests: readonly number[]
  readonly bytes: readonly (readonly [at: number, sum: number])[]
}

const script = new URL('./sites/metered-server.ts', import.meta.url).pathname
const serving = prioritized([script, `${processes}`, values.size])
const server = spawn(serving.program, serving.args, { stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
const origins: string[] = JSON.parse((await lines.next()).value ?? '[]')

async function notes(): Promise<Notes> {
  server.stdin.write('\n')
  return JSON.parse((await lines.next()).value ?? '{}')
}

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
  await untilRequests()
  await sleep(WARM_UP_MS)
  const from = (await notes()).bytes.at(-1)?.[0] ?? 0
  await sleep(seconds * 1_000 + WINDOW_MS)
  report(await notes(), from, from + seconds * 1_000)
} finally {
  await Promise.all(crawls.map((crawl) => stopped(crawl)))
  await redis?.close()
  server.kill()
}

function prioritized(script: readonly string[]) {
  if (!values.nice) return { program: process.execPath, args: script }
  return { program: 'nice', args: ['-n', '-20', process.execPath, ...script] }
}

async function untilRequests(): Promise<void> {
  while ((await notes()).requests.length === 0) await sleep(50)
}

async function stopped(crawl: (typeof crawls)[number]): Promise<void> {
  if (crawl.exitCode !== null) return
  const exit = once(crawl, 'exit')
  crawl.kill('SIGINT')
  const since = performance.now()
  await exit
  console.log(`ended ${((performance.now() - since) / 1_000).toFixed(1)} s after SIGINT`)
}

function report({ requests, bytes }: Notes, from: number, to: number): void {
  const times = requests.filter((at) => at >= from && at < to)
  const perSecond = times.length / seconds
  console.log(`${times.length} requests in ${seconds} s: ${perSecond.toFixed(2)}/s`)
  if (values.rate !== undefined) reportRate(requests, times, parseRate(values.rate))
  const [first, last] = [from, to].map((at) => bytes.find(([time]) => time >= at)?.[1] ?? 0)
  const mean = ((last ?? 0) - (first ?? 0)) / seconds
  console.log(`${mean.toFixed(0)} bytes/s${deviation(mean, values.bandwidth, parseBandwidth)}`)
  if (values.bandwidth === undefined) return
  const limit = (parseBandwidth(values.bandwidth) * 2 * WINDOW_MS) / 1_000
  const steps = bytes.flatMap(([at, sum], index) => {
    const before = bytes.findLast(([time], place) => place < index && time <= at - 2 * WINDOW_MS)
    return before === undefined || at < from ? [] : [sum - before[1]]
  })
  const most = Math.max(...steps)
  console.log(`fullest 200 ms: ${most} bytes, ${(most / limit).toFixed(2)} of a fifth`)
}

function reportRate(all: readonly number[], times: readonly number[], rate: number): void {
  const counts = all.map((at, first) => {
    const next = all.findIndex((later, index) => index > first && later >= at + WINDOW_MS)
    return (next < 0 ? all.length : next) - first
  })
  const allowed = (rate * WINDOW_MS) / 1_000 + 1
  const above = counts.filter((count) => count > allowed).length
  console.log(`limit ${rate}/s${deviation(times.length / seconds, values.rate, parseRate)}`)
  console.log(
    `fullest ${WINDOW_MS} ms: ${Math.max(...counts)} requests, ${allowed} allowed; ${above} of ${counts.length} windows above`,
  )
}

function deviation(mean: number, limit: string | undefined, parse: (text: string) => number) {
  if (limit === undefined) return ''
  return ` (${((100 * mean) / parse(limit) - 100).toFixed(2)} % beside the limit)`
}
