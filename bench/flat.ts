/**
 * Checks that a crawl stays as fast and as small as at its beginning, with two crawls of a server that computes its
 * pages: all pages of a graph, measured by tenths, and a graph whose queue grows as fast as possible. The exit code is
 * 1 if the speed in the last tenth is below 0.9 of that in the first, if its memory is above 1.1 of that in the first,
 * or if the long queue takes more than 400 MB. The first 2 % of all pages are the warm-up, and don't count.
 *
 *   node bench/flat.ts [--pages 1000000] [--queued 10000000] [--workers n]
 */
import { availableParallelism } from 'node:os'
import { startCrawl } from './measure/crawl-process.ts'
import { parseFlags } from './measure/flags.ts'
import { median } from './measure/statistics.ts'
import { circumstances, loadNow } from './report/machine.ts'
import { table, writeSection } from './report/readme.ts'
import { evenGraph, wideGraph } from './sites/endless-graphs.ts'
import { startFastServer } from './sites/fast-server.ts'

const LINKS = 30
const WIDE_LINKS = 1_000
/** The end of the last tenth. It excludes the very end, when threads stop, and pages that a Bloom filter loses. */
const END = 0.99
const SLOWEST = 0.9
const LARGEST = 1.1
const QUEUE_BYTES = 400e6
const SAMPLE_MS = 100

interface Mark {
  readonly pages: number
  readonly at: number
  /** Resident bytes: the median since the previous mark, since heaps alternately grow and are collected. */
  readonly rss: number
}

const { pages, queued, workers } = parseFlags({
  ...{ pages: 1_000_000, queued: 10_000_000, workers: availableParallelism() },
})
const load = loadNow()
const parts = [await crawlAll(), await fillQueue()]
const command = ['node bench/flat.ts', ...process.argv.slice(2)].join(' ')
writeSection('flat', [circumstances(command, load), ...parts].join('\n\n'))

/** Crawls the whole graph, and records time and memory at 2 %, at every tenth and near the end. */
async function crawlAll(): Promise<string> {
  const steps = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, END].map((part) => part * pages)
  const marks: Mark[] = []
  let requests = 0
  let samples: number[] = []
  const mark = () => {
    marks.push({ pages: requests, at: performance.now(), rss: median([...samples, crawl.rss()]) })
    samples = []
  }
  const server = await startFastServer({
    page: evenGraph(pages, LINKS),
    onRequest: () => {
      if (++requests >= (steps[marks.length] ?? Number.POSITIVE_INFINITY)) mark()
    },
  })
  const crawl = startCrawl([...args(server.origin), '--expected-urls', `${pages}`])
  const sampling = setInterval(() => samples.push(crawl.rss()), SAMPLE_MS)
  const { visits } = await crawl.ended
  clearInterval(sampling)
  await server.close()
  return verdictOf(marks, visits)
}

function verdictOf(marks: readonly Mark[], visits: number): string {
  const rows = marks.slice(1).map((mark, place) => ({
    name: `${Math.min((place + 1) * 10, END * 100)} %`,
    rate: ((mark.pages - (marks[place]?.pages ?? 0)) * 1_000) / (mark.at - (marks[place]?.at ?? 0)),
    rss: mark.rss,
  }))
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) throw new Error('the crawl ended at its start')
  const speed = last.rate / first.rate
  const growth = last.rss / first.rss
  if (speed < SLOWEST || growth > LARGEST) process.exitCode = 1
  const cells = rows.map(({ name, rate, rss }) => [name, rate.toFixed(0), mebibytes(rss)])
  return `${visits.toLocaleString('en')} of ${pages.toLocaleString('en')} pages, ${LINKS} links each, \
${workers} workers. Speed in the last tenth, relative to the first: ${speed.toFixed(2)} (at least ${SLOWEST}); \
memory in the last tenth, relative to the first: ${growth.toFixed(2)} (at most ${LARGEST}).

${table(['crawled', 'pages/s', 'RSS MiB'], cells)}`
}

/** Crawls until the queue has the requested length. */
async function fillQueue(): Promise<string> {
  const server = await startFastServer({ page: wideGraph(WIDE_LINKS) })
  const limits = ['--max-pages', `${Math.ceil(queued / (WIDE_LINKS - 1))}`]
  const expected = ['--expected-urls', `${Math.ceil(queued * 1.1)}`]
  const started = performance.now()
  // The trap guard would postpone the pages of a site that links only to new pages.
  const options = [...limits, ...expected, '--no-traps']
  const summary = await startCrawl([...args(server.origin), ...options]).ended
  const seconds = (performance.now() - started) / 1_000
  await server.close()
  if (summary.peakRss > QUEUE_BYTES) process.exitCode = 1
  return `A queue of ${summary.queued.toLocaleString('en')} URLs, found on ${summary.visits.toLocaleString('en')} \
pages in ${seconds.toFixed(1)} s: ${(summary.queued / seconds).toFixed(0)} URLs/s, \
peak RSS ${mebibytes(summary.peakRss)} MiB (at most ${mebibytes(QUEUE_BYTES)}).`
}

function args(origin: string): string[] {
  const limits = ['--workers', `${workers}`, '--concurrency', '32', '--per-host', '64']
  return [`${origin}/page/0`, ...limits]
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
