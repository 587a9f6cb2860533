import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnownSite } from './flaky-site.ts'
import { ask } from './state-run.ts'

export interface Torture {
  readonly site: KnownSite
  /** A directory for the state and the output. */
  readonly folder: string
  /** Returns the arguments of node for the next run. */
  readonly command: () => readonly string[]
  readonly kills: number
  readonly random: () => number
  /** Checks the files of a killed run. */
  readonly inspect?: () => void
}

/** Counts of a torture. */
export interface Ordeal {
  readonly kills: number
  readonly runs: number
  readonly requests: number
  /** Requests for pages whose earlier requests were lost, or failed and were retried. */
  readonly repeats: number
}

/**
 * Crawls a site, kills the crawl with SIGKILL at random moments, resumes it each time, and finally lets it end. Checks
 * after each run that it requested no page that was done according to the database before, and at the end that the
 * output is complete.
 * @throws Error that describes the differences
 */
export async function torture(torture: Torture): Promise<Ordeal> {
  const { site, folder, command } = torture
  const begun = site.requests.length
  let [kills, runs] = [0, 0]
  for (let code: number | null = null; code === null; runs++) {
    const done = await doneIn(folder)
    const from = site.requests.length
    const child = spawn(process.execPath, command(), { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    if (kills < torture.kills) void killAtRandom(child, torture)
    await once(child, 'close')
    code = child.exitCode
    torture.inspect?.()
    if (code === null) kills++
    else if (code !== 0) throw new Error(`the crawl ended with ${code}: ${stderr}`)
    const origin = new URL(site.seed).origin
    // When several URLs fail in a row, a HEAD request for a finished page probes the host.
    const again = site.requests
      .slice(from)
      .filter(({ method, url }) => method !== 'HEAD' && done.has(origin + url))
    if (again.length > 0) throw new Error(`asked for again: ${again.map(({ url }) => url)}`)
  }
  compare(site.truth, await recordsIn(join(folder, 'out.jsonl')))
  const urls = site.requests.slice(begun).map(({ url }) => url)
  const requests = urls.length
  return { kills, runs, requests, repeats: requests - new Set(urls).size }
}

/** Kills the process while it starts or resumes, or soon after it has requested something. */
async function killAtRandom(child: ChildProcess, { site, random }: Torture): Promise<void> {
  const { length } = site.requests
  const isEarly = random() < 0.3
  const isAlive = () => child.exitCode === null && child.signalCode === null
  while (!isEarly && isAlive() && site.requests.length === length) await sleep(2)
  await sleep(random() * (isEarly ? 1_500 : 700))
  child.kill('SIGKILL')
}

/** Returns the URLs that are done, whose records must not change. */
async function doneIn(folder: string): Promise<Set<string>> {
  let rows: Record<string, unknown>[]
  let ledger: string
  try {
    const state = join(folder, 'state')
    ledger = String(ask(state, "SELECT value FROM crawl WHERE name = 'ledger'")[0]?.['value'])
    rows = ask(state, 'SELECT urls.url FROM visits JOIN urls ON urls.id = visits.url')
  } catch {
    return new Set() // killed before it created its state
  }
  if (ledger === 'undefined') return new Set()
  const { positions } = JSON.parse(ledger)
  const file = join(folder, 'out.jsonl')
  const bytes = (await readFile(file)).subarray(0, positions[file] ?? 0)
  const recorded = parse(bytes.toString()).map(({ url }) => url)
  const done = new Set(rows.map(({ url }) => String(url)))
  if (recorded.length !== done.size || !recorded.every((url) => done.has(url))) {
    throw new Error(`${done.size} pages are done, and ${recorded.length} records are durable`)
  }
  return done
}

interface Found {
  readonly url: string
  readonly status?: number
}

async function recordsIn(file: string): Promise<Found[]> {
  return parse(await readFile(file, 'utf8'))
}

function parse(text: string): Found[] {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  return lines.map((line) => JSON.parse(line))
}

function compare(truth: KnownSite['truth'], records: readonly Found[]): void {
  const statuses = new Map(records.map(({ url, status }) => [url, status]))
  const problems = [
    ...[...truth.keys()].filter((url) => !statuses.has(url)).map((url) => `missing: ${url}`),
    ...[...statuses].flatMap(([url, status]) => {
      if (!truth.has(url)) return [`unknown: ${url}`]
      return truth.get(url) === status ? [] : [`${status}, not ${truth.get(url)}: ${url}`]
    }),
  ]
  const twice = records.length - statuses.size
  if (twice > 0) problems.push(`${twice} records more than URLs`)
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
}
