import type { RunningCrawl } from '../../crawl/start-crawl.ts'
import { countsOfRound } from '../../crawl/stats/counts-of-round.ts'
import { countHttpErrors } from '../../crawl/stats/failure-counts.ts'
import type { Stats } from '../../crawl/stats/stats.ts'
import { countOf, formatCount, formatPercent } from '../../english-text.ts'
import type { WaitReason } from '../../frontier/hosts/host-pauses.ts'
import type { HostStats } from '../../frontier/hosts/host-stats.ts'
import { PAUSE_TEXT } from '../../frontier/hosts/politeness-options.ts'
import { isProbablyComplete, type SeenStats } from '../../seen/seen-set.ts'
import type { TerminalSize } from '../cli-context.ts'
import { formatClockDuration, formatRate, formatSize } from './number-format.ts'
import { cutToWidth, joinToLines, layOutTable, type TextTable } from './text-table.ts'

/** The state of a running crawl at one moment. */
export interface CrawlMoment {
  readonly stats: Stats
  readonly hosts: ReturnType<RunningCrawl['hosts']>
  /** Pages per second: of the crawl, then of each worker. */
  readonly rates: readonly number[]
}

/** Maximum number of hosts per table. */
export const MAX_HOSTS = 4

/**
 * Maximum width of a line. A terminal that becomes narrower wraps longer lines, and some terminals,
 * such as tmux, then move the first half out of reach. Nearly all have at least 80 columns.
 */
const MAX_WIDTH = 79

/** Line about a paused job, which would otherwise look stuck. */
const PAUSED_TEXT = 'the job is paused: nothing is requested until crawl job resume'

/** Shortest waits that are shown, in milliseconds: while nothing is in flight, and while something is. */
const MIN_WAIT_MS = 500
const MIN_LONG_WAIT_MS = 5_000

/** Returns the lines of the view, which fit the terminal with one line to spare. */
export function frameLines(moment: CrawlMoment, { columns, rows }: TerminalSize): string[] {
  // Terminals wrap to the next line at once when the last column is filled.
  const width = Math.max(1, Math.min(columns - 1, MAX_WIDTH))
  const facts = [
    ...joinToLines(totals(moment), width),
    ...(moment.stats.paused ? [cutToWidth(PAUSED_TEXT, width)] : []),
    ...unreachableHostLines(moment, width),
    ...pausedHostLines(moment, width),
  ]
  const hosts = hostTables(moment).map((table) => layOutTable(table, width))
  const rowsLeft = Math.max(0, rows - 1)
  const left = rowsLeft - facts.length - Math.max(...hosts.map(({ length }) => length), 0)
  const workers = layOutTable(workerTable(moment, Math.max(2, left)), width)
  const lines = [...facts, ...workers]
  for (const table of hosts) if (lines.length + table.length <= rowsLeft) lines.push(...table)
  return lines.slice(0, rowsLeft)
}

function totals({ stats, rates }: CrawlMoment): string[] {
  const { queued, inFlight, round, rss, seen } = stats
  const { visits, elapsedMs, failed, ...counts } = countsOfRound(stats)
  const place = round === undefined ? '' : ` in round ${round.number}`
  return [
    `${countOf(visits, 'visit')}${place}`,
    `${formatRate(rates[0] ?? 0)}/s`,
    `${formatCount(queued)} queued`,
    `${formatCount(inFlight)} in flight`,
    countOf(countHttpErrors(counts), 'HTTP error'),
    `${formatCount(failed)} failed`,
    formatClockDuration(elapsedMs),
    formatSize(rss),
    `seen set ${formatPercent(seen.fill)} full`,
    ...(isProbablyComplete(seen) ? [] : [missedShare(seen)]),
  ]
}

/** Returns words for the share of new URLs that the seen set takes for known ones. */
export function missedShare({ falsePositiveRate }: Pick<SeenStats, 'falsePositiveRate'>): string {
  return `1 new URL in ${formatCount(Math.round(1 / falsePositiveRate))} missed`
}

/** Lists unreachable hosts that the crawl waits for. Without these lines, the crawl would look stuck. */
function unreachableHostLines(
  { hosts: { away }, stats: { hostsAway } }: CrawlMoment,
  width: number,
): string[] {
  const lines = away.map(({ host, ms, nextMs }) => {
    const next = nextMs > 0 ? `retried in ${formatClockDuration(nextMs)}` : 'retried now'
    return cutToWidth(
      `waiting for ${host}, which has not answered for ${formatClockDuration(ms)}; ${next}`,
      width,
    )
  })
  const rest = hostsAway - away.length
  return rest > 0 ? [...lines, `and for ${countOf(rest, 'more host')}`] : lines
}

const WAIT_TEXT: Readonly<Record<WaitReason, string>> = {
  ...PAUSE_TEXT,
  retry: 'another attempt after a failure',
}

/** Lists hosts with long pauses; also with short ones if nothing is in flight, since the crawl would look stuck. */
function pausedHostLines({ hosts: { paused }, stats }: CrawlMoment, width: number): string[] {
  const least = stats.inFlight === 0 ? MIN_WAIT_MS : MIN_LONG_WAIT_MS
  const shown = paused.filter(({ nextMs }) => nextMs >= least)
  return shown.map(({ host, reason, nextMs }) =>
    cutToWidth(
      `waiting for ${host}: ${WAIT_TEXT[reason]}, ${formatClockDuration(nextMs)} left`,
      width,
    ),
  )
}

/** @param maxLines maximum lines of the table; if workers are left out, the last line has their number */
function workerTable({ stats: { workers }, rates }: CrawlMoment, maxLines: number): TextTable {
  const fits = workers.length < maxLines
  const shown = fits ? workers : workers.slice(0, Math.max(0, maxLines - 2))
  const rows = shown.map(({ worker, fetched, failed, setSize, inFlight }) => [
    ...[String(worker), formatCount(fetched), formatRate(rates[worker] ?? 0)],
    ...[formatCount(inFlight), formatCount(failed), formatCount(setSize)],
  ])
  const rest = workers.length - shown.length
  const more = fits ? [] : [[`${rest} more`]]
  const headings = ['worker', 'pages', '/s', 'in flight', 'failed', 'found']
  return { headings, rows: [...rows, ...more] }
}

/** Returns one table if the busiest hosts include the slowest ones; otherwise two. */
function hostTables({ hosts: { busiest, slowest } }: CrawlMoment): TextTable[] {
  if (busiest.length === 0) return []
  const names = new Set(busiest.map(({ host }) => host))
  if (slowest.every(({ host }) => names.has(host))) {
    return [hostTable(busiest.length === 1 ? 'host' : 'hosts', busiest)]
  }
  return [hostTable('busiest hosts', busiest), hostTable('slowest hosts', slowest)]
}

function hostTable(title: string, hosts: readonly HostStats[]): TextTable {
  const rows = hosts.map(({ host, pages, queued, inFlight, latency }) => [
    ...[host, formatCount(pages), latency === undefined ? '' : formatClockDuration(latency)],
    ...[formatCount(inFlight), formatCount(queued)],
  ])
  return { headings: [title, 'pages', 'latency', 'in flight', 'queued'], rows }
}
