/**
 * Measures the cost of starting: the CPU time of `crawl --help`, and the time from the start of the program to its
 * first request. For comparison, measures Node with an empty script.
 *
 *   node bench/start-up.ts [--rounds 10]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawlScript, startCrawl, workFolder } from './measure/crawl-process.ts'
import { parseFlags } from './measure/flags.ts'
import { type Spread, spreadOf } from './measure/statistics.ts'
import { timedRun } from './measure/timed-run.ts'
import { circumstances, loadNow } from './report/machine.ts'
import { table, writeSection } from './report/readme.ts'
import { startFastServer } from './sites/fast-server.ts'

const { rounds } = parseFlags({ rounds: 10 })
const load = loadNow()
const nothing: number[] = []
const help: number[] = []
const firstRequest: number[] = []

const empty = join(workFolder, 'empty.js')
for (let round = 0; round <= rounds; round++) {
  const asked = await timeToFirstRequest()
  writeFileSync(empty, '')
  const { cpuMs } = await timedRun([process.execPath, empty])
  const helped = await timedRun([process.execPath, crawlScript, '--help'])
  // The first round warms up the disk cache.
  if (round === 0) continue
  firstRequest.push(asked)
  nothing.push(cpuMs)
  help.push(helped.cpuMs)
}

const rows = [
  row('CPU of `node empty.js`', spreadOf(nothing)),
  row('CPU of `crawl --help`', spreadOf(help)),
  row('from start to the first request', spreadOf(firstRequest)),
]
const command = ['node bench/start-up.ts', ...process.argv.slice(2)].join(' ')
const figures = table(['ms', 'median', 'least', 'most'], rows)
writeSection('start-up', `${circumstances(command, load)}\n\n${figures}`)

async function timeToFirstRequest(): Promise<number> {
  const asked = Promise.withResolvers<number>()
  const server = await startFastServer({
    page: () => '<title>The only page</title>',
    onRequest: () => asked.resolve(performance.now()),
  })
  const started = performance.now()
  await startCrawl([server.origin]).ended
  await server.close()
  return (await asked.promise) - started
}

function row(name: string, { median, least, most }: Spread): string[] {
  return [name, ...[median, least, most].map((ms) => ms.toFixed(0))]
}
