/**
 * Measures the pages per second with 1, 2 and 4 workers, and the cost of a page for the coordinator and the workers:
 * when the coordinator's thread is fully used, further workers don't help. The server computes its pages on a core of
 * its own. One of the sites responds after 50 ms, with thousands of requests in flight. Whole sites are crawled, so
 * that each page found is fetched. The first fifth is the warm-up, and doesn't count.
 *
 *   node bench/scaling.ts [--pages 50000]
 */
import { startCrawl } from './measure/crawl-process.ts'
import { parseFlags } from './measure/flags.ts'
import { type ThreadCpu, watchThreads } from './measure/thread-cpu.ts'
import { circumstances, loadNow } from './report/machine.ts'
import { table, writeSection } from './report/readme.ts'
import { evenGraph, type Graph } from './sites/endless-graphs.ts'
import { startFastServer } from './sites/fast-server.ts'

interface Scenario {
  readonly name: string
  readonly page: Graph
  readonly delayMs: number
  /** Requests in flight of all workers together. */
  readonly concurrency: number
}

/** The CPU time that the threads had used at a moment. */
interface Reading {
  readonly at: number
  readonly cpu: ThreadCpu
}

const WARM_UP = 0.2
const TEXT = 'an orb web of silk '.repeat(800)
const { pages } = parseFlags({ pages: 50_000 })
const small = evenGraph(pages, 30)
const large = evenGraph(pages, 100)
const scenarios: readonly Scenario[] = [
  { name: '1 kB, 30 links, at once', page: small, delayMs: 0, concurrency: 64 },
  { name: '1 kB, 30 links, after 50 ms', page: small, delayMs: 50, concurrency: 4_000 },
  {
    name: '19 kB, 100 links, at once',
    page: (path) => large(path) + TEXT,
    delayMs: 0,
    concurrency: 64,
  },
]
const WORKERS = [1, 2, 4]

const load = loadNow()
const rows: string[][] = []
for (const scenario of scenarios) {
  for (const workers of WORKERS) rows.push(await measure(scenario, workers))
}
const HEAD = [
  'pages',
  'workers',
  'pages/s',
  'coordinator, µs per page',
  'workers, µs per page',
  'V8, libuv, µs per page',
  'coordinator full at pages/s',
  'cores used by then',
]
const command = ['node bench/scaling.ts', ...process.argv.slice(2)].join(' ')
writeSection('scaling', `${circumstances(command, load)}\n\n${table(HEAD, rows)}`)

async function measure(scenario: Scenario, workers: number): Promise<string[]> {
  const { page, delayMs, concurrency } = scenario
  let requests = 0
  let warm: Reading | undefined
  let last = 0
  const onRequest = () => {
    last = performance.now()
    if (++requests === Math.floor(pages * WARM_UP)) warm = { at: last, cpu: threads.read() }
  }
  const server = await startFastServer({ page, delayMs, onRequest })
  const perWorker = ['--concurrency', `${Math.ceil(concurrency / workers)}`]
  const limits = ['--per-host', `${concurrency}`, '--workers', `${workers}`]
  const crawl = startCrawl([`${server.origin}/page/0`, ...limits, ...perWorker])
  const threads = watchThreads(crawl.pid)
  await crawl.ended
  threads.stop()
  await server.close()
  if (warm === undefined) throw new Error('the crawl ended at its start')
  return row(scenario.name, workers, requests, warm, { at: last, cpu: threads.read() })
}

function row(
  name: string,
  workers: number,
  requests: number,
  from: Reading,
  to: Reading,
): string[] {
  const visits = requests - Math.floor(pages * WARM_UP)
  const used = (part: keyof ThreadCpu) => to.cpu[part] - from.cpu[part]
  const costs = [used('coordinator'), used('workers'), used('others')]
  const perPage = costs.map((ms) => ((ms * 1_000) / visits).toFixed(0))
  const rates = [(visits * 1_000) / (to.at - from.at), (visits * 1_000) / used('coordinator')]
  const [rate = '', full = ''] = rates.map((value) => value.toFixed(0))
  // While the coordinator spends all its time, all threads together need this many cores.
  const cores = costs.reduce((sum, ms) => sum + ms, 0) / used('coordinator')
  return [name, `${workers}`, rate, ...perPage, full, cores.toFixed(1)]
}
