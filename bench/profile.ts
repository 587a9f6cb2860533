/**
 * Crawls under V8's profiler, and prints the time of each stage per page: on the main thread, and in all workers
 * together. The first half of the crawl's time, in which code is loaded and compiled, does not count. The profiles stay
 * in the printed folder. The developer tools of a browser can open them.
 *
 *   node bench/profile.ts <url> [options of crawl]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CpuProfile, type Spent, spentByStage } from './measure/cpu-profile.ts'
import { table } from './report/readme.ts'

/** Minimum share of the time of a stage that is printed. */
const LEAST_SHARE = 0.005

const program = fileURLToPath(new URL('../bin/crawl.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'crawl-profile-'))
const visits = join(folder, 'visits.jsonl')
const crawl = [program, ...process.argv.slice(2), '--quiet', '-o', visits]
execFileSync(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, ...crawl], {
  stdio: 'inherit',
})
const { pages, ms } = laterHalf(visits)
const spent = profilesIn(folder).map((profile) => spentByStage(profile, 1_000 * ms))
const [main = new Map(), ...workers] = spent
console.log(`The last ${pages} pages, ${workers.length} workers; profiles in ${folder}\n`)
console.log(`Main thread\n\n${stages(main)}\n\nWorkers\n\n${stages(workers.reduce(sum))}`)

/**
 * Returns the number of pages in the second half of the time between the first and the last visit, and the length of
 * this half.
 */
function laterHalf(file: string): { pages: number; ms: number } {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const times = lines.map((line) => Date.parse(JSON.parse(line).time))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const ms = (last - first) / 2
  return { pages: times.filter((time) => time > last - ms).length, ms }
}

/** Returns the profiles, that of the main thread first. The names end with the numbers of threads. */
function profilesIn(path: string): CpuProfile[] {
  const names = readdirSync(path).filter((name) => name.endsWith('.cpuprofile'))
  const thread = (name: string) => Number(name.split('.').at(-3))
  const ordered = names.toSorted((a, b) => thread(a) - thread(b))
  return ordered.map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')))
}

function sum(first: Spent, second: Spent): Spent {
  const names = new Set([...first.keys(), ...second.keys()])
  return new Map([...names].map((name) => [name, (first.get(name) ?? 0) + (second.get(name) ?? 0)]))
}

function stages(spent: Spent): string {
  const whole = [...spent.values()].reduce((total, us) => total + us, 0)
  const rows = [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, us]) => us >= LEAST_SHARE * whole)
    .map(([name, us]) => [name, (us / pages).toFixed(0), `${((100 * us) / whole).toFixed(1)} %`])
  return table(['stage', 'µs per page', 'share'], rows)
}
