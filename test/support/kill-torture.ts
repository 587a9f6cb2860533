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
  /** Arguments of node for the next run. */
  readonly command: () => readonly string[]
  readonly kills: number
  readonly random: () => number
  /** Checks the files that a killed run left. */
  readonly inspect?: () => void
}

/** What it came to. */
export interface Ordeal {
  readonly kills: number
  readonly runs: number
  readonly requests: number
  /** Requests for pages whose earlier requests were lost, or failed and were tried again. */
  readonly repeats: number
}

/**
 * Crawls a site with SIGKILL at random moments and resumes each time, then to the end. After each run
 * what it asked for is compared with what the database said to be done before, and at the end the
 * output with the truth.
 * @throws Error that says what is wrong
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
    // When several URLs fail in a row, a HEAD of a page that is done shows whether the host is there.
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

/** While it starts or resumes, or soon after it has asked for something. */
async function killAtRandom(child: ChildProcess, { site, random }: Torture): Promise<void> {
  const { length } = site.requests
  const isEarly = random() < 0.3
  const isAlive = () => child.exitCode === null && child.signalCode === null
  while (!isEarly && isAlive() && site.requests.length === length) await sleep(2)
  await sleep(random() * (isEarly ? 1_500 : 700))
  child.kill('SIGKILL')
}

/** URLs that are done for good; their records have to stand. */
async function doneIn(folder: string): Promise<Set<string>> {
  let rows: Record<string, unknown>[]
  let ledger: string
  try {
    const state = join(folder, 'state')
    ledger = String(ask(state, "SELECT value FROM crawl WHERE name = 'ledger'")[0]?.['value'])
    rows = ask(state, 'SELECT urls.url FROM visits JOIN urls ON urls.id = visits.url')
  } catch {
    return new Set() // it was killed before there was anything
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
