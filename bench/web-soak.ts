/**
 * Crawls a generated web for some time, with all files that a crawl can write: state, WARC, links, skipped URLs. Fails
 * if memory, file descriptors, sockets or timers of the crawl grow after the first tenth of the time. It needs root,
 * for a network of its own, Linux for /proc, and `npm run build`.
 *
 *   node bench/web-soak.ts [minutes] [--rate 300/s] [--hosts 300000] [--protocol plain|tls|h2] [-- flags of crawl]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { growthOf, type Sample, sampleOf } from './measure/growth.ts'
import { oneOf } from './measure/one-of.ts'
import { enterLoopbackNetwork } from './web/loopback-network.ts'
import { startMeasured } from './web/measured-crawl.ts'
import { NAME_SERVER } from './web/name-server.ts'
import { ServedWeb } from './web/served-web.ts'

const SAMPLE_MS = 10_000
/** Memory has no allowance for noise, so that growth beyond a tenth fails. */
const NO_NOISE = { rss: 0 }

const { values, positionals } = parseArgs({
  options: {
    rate: { type: 'string', default: '300/s' },
    hosts: { type: 'string', default: '300000' },
    protocol: { type: 'string', default: 'plain' },
  },
  allowPositionals: true,
})
const [minutes = '60', ...more] = positionals
const protocol = oneOf(['plain', 'tls', 'h2'], values.protocol)

await enterLoopbackNetwork(NAME_SERVER)
const folder = mkdtempSync(join(tmpdir(), 'bench-web-soak-'))
const web = { seed: 1, hosts: Number(values.hosts), pages: 10, links: 30, broken: true }
const options = {
  web: {
    ...web,
    latency: undefined,
    scheme: protocol === 'plain' ? ('http' as const) : ('https' as const),
  },
  ...{ protocol, coding: 'mixed' as const, size: undefined },
}
const served = await ServedWeb.start(options, folder, 100)
// Set after the start of the server, which must not load the probe: it has timers of its own.
const probe = join(folder, 'timers')
const module = fileURLToPath(new URL('measure/timer-probe.ts', import.meta.url))
Object.assign(process.env, { TIMER_PROBE: probe, NODE_OPTIONS: `--import ${module}` })
const kept = [
  ...['--state', join(folder, 'state'), '-o', join(folder, 'archive.warc.gz')],
  ...['--links', join(folder, 'links.jsonl')],
]
const samples: Sample[] = []
try {
  const limits = ['--max-time', `${minutes}m`, '--rate', values.rate, '-w', '2', '-c', '64']
  const { pid, ended } = startMeasured(folder, 'visits', [
    ...[...served.flags, ...kept, ...limits, '--timeout', '5s'],
    ...more,
  ])
  const timer = setInterval(() => {
    samples.push(sampleOf(pid, timersOf(probe)))
    console.log(JSON.stringify(samples.at(-1)))
  }, SAMPLE_MS)
  const { cpuSeconds, seconds, peakRss } = await ended
  clearInterval(timer)
  console.log(`${Math.round(seconds)} s, ${Math.round(cpuSeconds)} s of CPU, peak ${peakRss} bytes`)
  const start = Math.ceil(samples.length / 10)
  const window = Math.max(1, Math.ceil(samples.length / 20))
  const grown = growthOf(samples.slice(start, start + window), samples.slice(-window), NO_NOISE)
  for (const sentence of grown) console.error(sentence)
  process.exitCode = grown.length
} finally {
  served.close()
  rmSync(folder, { recursive: true })
}

/** Returns the sum of the last count of each thread. */
function timersOf(file: string): number {
  if (!existsSync(file)) return 0
  const last = new Map<string, number>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [thread = '', count = '0'] = line.split(' ')
    last.set(thread, Number(count))
  }
  return [...last.values()].reduce((sum, count) => sum + count, 0)
}
