import type { RunningCrawl } from '../../crawl/start-crawl.ts'
import type { Stats } from '../../crawl/stats/stats.ts'
import type { HostStats } from '../../frontier/politeness/host-stats.ts'
import type { Extent } from '../cli-context.ts'
import { type Columns, flow, linesOf } from './columns.ts'
import { chance, count, counted, duration, fitted, percent, rate, size } from './number-text.ts'

/** The state of a running crawl at one moment. */
export interface Moment {
  readonly stats: Stats
  readonly hosts: ReturnType<RunningCrawl['hosts']>
  /** Pages per second: of the crawl, then of each worker. */
  readonly rates: readonly number[]
}

/** Hosts per table. */
export const MOST_HOSTS = 4

/**
 * Maximum width. A terminal that becomes narrower wraps longer lines, and some, such as tmux, move
 * the first half out of reach; nearly all are at least 80 columns wide.
 */
const WIDEST = 79

/** Returns the lines of the view, which fit the terminal with one line to spare. */
export function frameOf(moment: Moment, { columns, rows }: Extent): string[] {
  // Terminals wrap to the next line at once when the last column is filled.
  const width = Math.max(1, Math.min(columns - 1, WIDEST))
  const facts = [...flow(factsOf(moment), width), ...awayLines(moment, width)]
  const hosts = hostTables(moment).map((table) => linesOf(table, width))
  const room = Math.max(0, rows - 1)
  const left = room - facts.length - Math.max(...hosts.map(({ length }) => length), 0)
  const workers = linesOf(workerTable(moment, Math.max(2, left)), width)
  const lines = [...facts, ...workers]
  for (const table of hosts) if (lines.length + table.length <= room) lines.push(...table)
  return lines.slice(0, room)
}

function factsOf({ stats, rates }: Moment): string[] {
  const { visits, elapsedMs, queued, inFlight, rss, seen } = stats
  return [
    counted(visits, 'page'),
    `${rate(rates[0] ?? 0)}/s`,
    `${count(queued)} queued`,
    `${count(inFlight)} in flight`,
    counted(problemsOf(stats), 'error'),
    duration(elapsedMs),
    size(rss),
    `seen set ${percent(seen.fill)} full`,
    `false-positive rate ${chance(seen.falsePositiveRate)}`,
  ]
}

/** Lists hosts that the crawl waits for, which would otherwise look stuck. */
function awayLines({ hosts: { away }, stats: { hostsAway } }: Moment, width: number): string[] {
  const lines = away.map(({ host, ms, nextMs }) => {
    const next = nextMs > 0 ? `asked again in ${duration(nextMs)}` : 'asked again now'
    return fitted(`waiting for ${host}, which has not answered for ${duration(ms)}; ${next}`, width)
  })
  const rest = hostsAway - away.length
  return rest > 0 ? [...lines, `and for ${counted(rest, 'more host')}`] : lines
}

/** Counts visits with status 4xx or 5xx, or with an error. */
export function problemsOf({ statuses, errors }: Pick<Stats, 'statuses' | 'errors'>): number {
  const refused = Object.entries(statuses).filter(([status]) => Number(status) >= 400)
  const counts = [...refused.map(([, times]) => times), ...Object.values(errors)]
  return counts.reduce((sum, times) => sum + times, 0)
}

/** @param maxLines of the table; the last one says how many workers are left out */
function workerTable({ stats: { workers }, rates }: Moment, most: number): Columns {
  const fits = workers.length < most
  const shown = fits ? workers : workers.slice(0, Math.max(0, most - 2))
  const rows = shown.map(({ worker, fetched, failed, setSize, inFlight }) => [
    ...[String(worker), count(fetched), rate(rates[worker] ?? 0)],
    ...[count(inFlight), count(failed), count(setSize)],
  ])
  const rest = workers.length - shown.length
  const more = fits ? [] : [[`${rest} more`]]
  const heads = ['worker', 'pages', '/s', 'in flight', 'failed', 'found']
  return { heads, rows: [...rows, ...more] }
}

/** Returns one table if it contains all hosts. */
function hostTables({ hosts: { busiest, slowest } }: Moment): Columns[] {
  if (busiest.length === 0) return []
  const names = new Set(busiest.map(({ host }) => host))
  if (slowest.every(({ host }) => names.has(host))) {
    return [hostTable(busiest.length === 1 ? 'host' : 'hosts', busiest)]
  }
  return [hostTable('busiest hosts', busiest), hostTable('slowest hosts', slowest)]
}

function hostTable(title: string, hosts: readonly HostStats[]): Columns {
  const rows = hosts.map(({ host, pages, queued, inFlight, latency }) => [
    ...[host, count(pages), latency === undefined ? '' : duration(latency)],
    ...[count(inFlight), count(queued)],
  ])
  return { heads: [title, 'pages', 'latency', 'in flight', 'queued'], rows }
}
