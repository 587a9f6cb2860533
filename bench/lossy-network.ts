/**
 * Crawls over a line with latency and packet loss, which connects two isolated networks. Measures the pages per second,
 * compared with the requests in flight per round trip, and reports which requests failed. For comparison, undici
 * fetches each of the same pages once, from a list. It needs root, for the networks, python3, and `npm run build`.
 *
 *   node bench/lossy-network.ts [--round-trip 200] [--loss 0.05] [--pages 5000] [--bytes 7000] [--in-flight 64]
 *     [--hosts 200] [--idle 300] [--seed 1] [-- flags of crawl]
 *
 * With `--hosts`, pages are spread over this number of hosts, whose names are looked up over the line, too. Then undici
 * doesn't run. With `--idle`, the server closes connections after this number of idle milliseconds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeVisits } from './lossy/describe-visits.ts'
import { DistantSite } from './lossy/distant-site.ts'
import { SERVER_ADDRESS, urlOf } from './lossy/site.ts'
import { parseFlags } from './measure/flags.ts'
import { timedRun } from './measure/timed-run.ts'
import { enterLoopbackNetwork } from './web/loopback-network.ts'
import { startMeasured } from './web/measured-crawl.ts'

const { positionals, ...flags } = parseFlags(
  {
    ...{ 'round-trip': 200, loss: 0, pages: 5_000, bytes: 7_000, 'in-flight': 64 },
    ...{ hosts: 0, idle: 0, seed: 1 },
  },
  true,
)
const { 'round-trip': roundTrip, 'in-flight': inFlight, loss, seed } = flags
const line = { roundTrip, loss, seed }
const site = { pages: flags.pages, bytes: flags.bytes, hosts: flags.hosts, idleMs: flags.idle }

await enterLoopbackNetwork(SERVER_ADDRESS)
const folder = mkdtempSync(join(tmpdir(), 'bench-lossy-'))
try {
  await measure('crawl', crawl)
  if (site.hosts === 0) await measure('undici', fetchList)
} finally {
  rmSync(folder, { recursive: true })
}

/** Runs a program that fetches all pages. Prints its results, and the counts of the server and of the line. */
async function measure(name: string, run: () => Promise<readonly string[]>): Promise<void> {
  const distant = await DistantSite.start(site, line)
  const outcome = await run()
  const { count, ms, repeated, connections } = await distant.requests()
  const { packets, lost } = await distant.close()
  const perSecond = (count * 1_000) / ms
  const most = (inFlight * 1_000) / roundTrip
  const lines = [
    `${name}: ${count} requests, ${perSecond.toFixed(0)}/s: ${(perSecond / most).toFixed(2)} of ${inFlight} in flight per round trip of ${roundTrip} ms`,
    `connections: ${connections}; requested again: ${repeated}; packets: ${packets}, lost ${((lost * 100) / packets).toFixed(1)} %`,
    ...outcome,
  ]
  console.log(lines.join('\n  '))
}

async function crawl(): Promise<readonly string[]> {
  const { files, ended } = startMeasured(folder, 'visits', [
    ...[urlOf(site, 0), '--scope', 'any', '-d', 'unlimited', '--allow-private'],
    ...['-w', '2', '-c', String(inFlight / 2), '--per-host', String(inFlight)],
    ...['--log-level', 'warn', ...positionals],
  ])
  const { seconds, cpuSeconds, exitCode } = await ended
  const costs = `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, exit code ${exitCode}`
  return [...describeVisits(files.visits, site.pages), costs]
}

async function fetchList(): Promise<readonly string[]> {
  const list = join(folder, 'paths')
  const urls = Array.from({ length: site.pages }, (_, page) => new URL(urlOf(site, page)))
  writeFileSync(list, urls.map(({ pathname }) => pathname).join('\n'))
  const script = fileURLToPath(new URL('./crawlers/undici.ts', import.meta.url))
  const origin = `http://${SERVER_ADDRESS}`
  const args = ['dispatch', '2', String(inFlight), origin, list]
  const { wallMs, exitCode } = await timedRun([process.execPath, script, ...args])
  return [`${(wallMs / 1_000).toFixed(1)} s, exit code ${exitCode}`]
}
