/**
 * Pages per second with 1, 2 and 4 workers, and what one page costs the coordinator and the workers:
 * where the coordinator's thread is full, further workers don't help. The server computes its pages on
 * a core of its own; one of the sites answers after 50 ms, with thousands of requests in flight.
 *
 *   node bench/scaling.ts [--pages 50000]
 */
import { parseArgs } from 'node:util'
import { startCrawl } from './measure/crawl-process.ts'
import { type ThreadCpu, watchThreads } from './measure/thread-cpu.ts'
import { circumstances, loadNow } from './report/machine.ts'
import { table, writeSection } from './report/readme.ts'
import { type Graph, randomGraph } from './sites/endless-graphs.ts'
import { startFastServer } from './sites/fast-server.ts'

interface Scenario {
  readonly name: string
  readonly page: Graph
  readonly delayMs: number
  /** Requests in flight, all workers together. */
  readonly concurrency: number
}

const GRAPH_PAGES = 1_000_000
const TEXT = 'an orb web of silk '.repeat(800)
const small = randomGraph(GRAPH_PAGES, 30)
const large = randomGraph(GRAPH_PAGES, 100)
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

const { values } = parseArgs({ options: { pages: { type: 'string', default: '50000' } } })
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
  'that is cores',
]
const command = ['node bench/scaling.ts', ...process.argv.slice(2)].join(' ')
writeSection('scaling', `${circumstances(command, load)}\n\n${table(HEAD, rows)}`)

async function measure(scenario: Scenario, workers: number): Promise<string[]> {
  const { page, delayMs, concurrency } = scenario
  let first = 0
  const onRequest = () => {
    first ||= performance.now()
  }
  const server = await startFastServer({ page, delayMs, onRequest })
  const manners = ['--concurrency', `${Math.ceil(concurrency / workers)}`]
  const limits = ['--per-host', `${concurrency}`, '--max-pages', values.pages]
  const args = [`${server.origin}/page/0`, '--workers', `${workers}`, ...manners, ...limits]
  const crawl = startCrawl(args)
  const threads = watchThreads(crawl.pid)
  const { visits } = await crawl.ended
  const seconds = (performance.now() - first) / 1_000
  await server.close()
  return row(scenario.name, workers, visits, seconds, threads.stop())
}

function row(
  name: string,
  workers: number,
  visits: number,
  seconds: number,
  cpu: ThreadCpu,
): string[] {
  const perPage = (ms: number) => (ms * 1_000) / visits
  const coordinator = perPage(cpu.coordinator)
  // While the coordinator spends all its time, the other threads need this many cores to keep up.
  const cores = 1 + (cpu.workers + cpu.others) / cpu.coordinator
  const costs = [coordinator, perPage(cpu.workers), perPage(cpu.others)]
  const figures = [visits / seconds, ...costs, 1e6 / coordinator].map((value) => value.toFixed(0))
  return [name, `${workers}`, ...figures, cores.toFixed(1)]
}
