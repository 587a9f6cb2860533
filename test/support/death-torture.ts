import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { startCrawl } from '../../src/crawl/start-crawl.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import type { SeenName } from '../../src/seen/seen-set.ts'
import { type SiteServer, startServer } from './site-server.ts'
import { visitsIn } from './state-run.ts'

const HOOKS = new URL('./dying-worker.ts', import.meta.url).href
/** One in SPACING neighbors kills its worker, so each link is also on a page that doesn't. */
const SPACING = 5
/** Approximate maximum of steps for a page and its links, with any seen set. */
const MAX_STEP = 120

export interface DeathTorture {
  readonly seen: SeenName
  readonly workers: number
  readonly layers: number
  readonly width: number
  /** Number of workers that are terminated, in addition to those that pages kill. */
  readonly terminations: number
  /** A directory for the output. */
  readonly folder: string
  readonly random: () => number
}

/** Counts of a torture. */
export interface DeathOrdeal {
  readonly deaths: number
  readonly visits: number
  /** Number of pages that killed each worker. */
  readonly givenUp: number
}

/**
 * Crawls a site of layers. Each page links to pages of the next layer and to URLs that are skipped, as its neighbors
 * do. Some pages kill each worker that reads them, at different steps (dying-worker.ts). Meanwhile other workers are
 * terminated at random.
 * @throws Error that describes the differences
 */
export async function tortureByDeaths(torture: DeathTorture): Promise<DeathOrdeal> {
  const { seen, workers, folder, random } = torture
  const layers = layersOf(torture)
  const pages = new Map(
    layers.flatMap((layer, depth) => layer.map((path, at) => [path, { depth, at }])),
  )
  const site = await startServer(async ({ url = '' }, response) => {
    await sleep(random() * 5)
    const page = pages.get(url)
    response.setHeader('content-type', 'text/html')
    if (url === '/') response.end(anchors(layers[0] ?? []))
    else if (page === undefined) response.writeHead(404).end()
    else
      response.end(
        anchors([...neighbors(layers[page.depth + 1], page.at, 4), ...accounts(page, torture)]),
      )
  })
  const watch = watchDeaths()
  const killing = killAtRandom(watch.threads, site, torture)
  try {
    const output = join(folder, 'visits.jsonl')
    const skipped = join(folder, 'skipped.jsonl')
    const input = { seeds: [`${site.url}/`], output, skipped, overwrite: true, workers, seen }
    const limits = { expectedUrls: 5_000, falsePositiveRate: 1e-9, depth: 100, perHost: 16 }
    const config = resolveConfig({ ...input, ...limits, hooks: HOOKS, traps: false })
    const { outputs } = await openOutputs(config, process.stdout, undefined)
    const { skipped: counts } = await startCrawl(config, outputs, watch.logger).finished
    const visits = await visitsIn(output)
    const found = visits.map(({ url }) => url.slice(site.url.length))
    const givenUp = visits.filter(({ error }) => error?.code === 'worker-died').length
    compare('record', ['/', ...pages.keys()], found)
    const listed = (await visitsIn(skipped)).map(({ url }) => url)
    compare(
      'line of --skipped',
      [...pages.values()].flatMap((page) => accounts(page, torture, 1)),
      listed,
    )
    if (counts['scheme'] !== listed.length)
      throw new Error(`${counts['scheme']} are counted, and ${listed.length} are listed`)
    return { deaths: watch.deaths(), visits: found.length, givenUp }
  } finally {
    killing.abort()
    watch.stop()
    await site.close()
  }
}

function layersOf({ layers, width, random }: DeathTorture): string[][] {
  return Array.from({ length: layers }, (_, depth) => {
    const first = Math.floor(random() * SPACING)
    return Array.from({ length: width }, (_, at) => {
      const page = `${depth}/${at}`
      if (at % SPACING !== first) return `/page/${page}`
      return `/dies/${Math.floor(random() * MAX_STEP)}/${page}`
    })
  })
}

/** Returns the links of a page to URLs that are skipped. */
function accounts(
  { depth, at }: { depth: number; at: number },
  { width }: DeathTorture,
  count = 2,
) {
  return neighbors(
    Array.from({ length: width }, (_, to) => `mailto:${depth}.${to}@a.test`),
    at,
    count,
  )
}

function neighbors(layer: readonly string[] = [], at: number, count: number): string[] {
  return Array.from({ length: count }, (_, step) => layer[(at + step) % layer.length] ?? '/')
}

function anchors(hrefs: readonly string[]): string {
  return hrefs.map((href) => `<a href="${href}">x</a>`).join('')
}

/** Tracks the threads that are running, and how many died according to the log. The crawl ends the others itself. */
function watchDeaths() {
  const threads = new Set<Worker>()
  let deaths = 0
  const remember = (thread: Worker) => {
    thread.once('message', () => threads.add(thread))
    thread.once('exit', () => threads.delete(thread))
  }
  const write = (line: string) => {
    if (line.includes('"A worker died: ')) deaths++
  }
  process.on('worker', remember)
  const logger = pino({ level: 'debug' }, { write })
  return { threads, logger, deaths: () => deaths, stop: () => process.off('worker', remember) }
}

/**
 * Terminates workers at random, after there is more than one page: pages that were in the hands of four dead workers
 * are given up.
 */
function killAtRandom(
  threads: ReadonlySet<Worker>,
  { requests }: SiteServer,
  { terminations, random, width }: DeathTorture,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const kill = async () => {
    while (requests.length < width / 2) await sleep(5, undefined, { signal })
    for (let left = terminations; left > 0; left--) {
      await sleep(random() * 200, undefined, { signal })
      const alive = [...threads]
      void alive[Math.floor(random() * alive.length)]?.terminate()
    }
  }
  kill().catch(() => {})
  return stopping
}

function compare(kind: string, expected: readonly string[], found: readonly string[]): void {
  const counts = Map.groupBy(found, (each) => each)
  const known = new Set(expected)
  const problems = [
    ...expected.filter((each) => !counts.has(each)).map((each) => `no ${kind}: ${each}`),
    ...[...counts].flatMap(([each, all]) => {
      if (!known.has(each)) return [`a ${kind} too many: ${each}`]
      return all.length === 1 ? [] : [`${all.length} times a ${kind}: ${each}`]
    }),
  ]
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
}
