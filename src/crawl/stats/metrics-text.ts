import type { HostWait } from '../../frontier/hosts/sleepers.ts'
import type { Stats } from './stats.ts'

/** Delay of the event loop of the main thread, in seconds. */
interface Delay {
  readonly mean: number
  readonly max: number
}

/**
 * Formats the statistics of a crawl for Prometheus (prometheus.io, "Exposition formats", 0.0.4). Names end in their
 * unit, and in `_total` for counters.
 */
export function metricsText(stats: Stats, waits: readonly HostWait[], delay: Delay): string {
  return [
    ...visitFamilies(stats),
    ...queueFamilies(stats, waits),
    ...seenFamilies(stats),
    family('resident_memory_bytes', 'gauge', 'Memory of the process.', stats.rss),
    family('event_loop_delay_seconds', 'gauge', 'Mean since the last request.', delay.mean),
    family('event_loop_delay_max_seconds', 'gauge', 'Maximum since the last request.', delay.max),
  ].join('')
}

function visitFamilies({ visits, bytes, retries, statuses, errors, skipped }: Stats): string[] {
  return [
    family('visits_total', 'counter', 'Number of records.', visits),
    family('bytes_total', 'counter', 'Bytes of decoded bodies.', bytes),
    family('retries_total', 'counter', 'Attempts that are made again.', retries),
    byLabel('statuses_total', 'counter', 'Visits by HTTP status.', 'status', statuses),
    byLabel('errors_total', 'counter', 'Visits by error code.', 'code', errors),
    byLabel('skipped_total', 'counter', 'URLs not fetched, by reason.', 'reason', skipped),
  ]
}

function queueFamilies(stats: Stats, waits: readonly HostWait[]): string[] {
  const away = 'Hosts that have stopped answering, and may come back.'
  const within = new Map(waits.map((wait) => [inPrometheus(wait.within), wait.hosts]))
  const inFlight = stats.workers.map((each) => [each.worker, each.inFlight])
  return [
    family(
      'queued_urls',
      'gauge',
      'URLs that wait; in a job those of all processes.',
      stats.queued,
    ),
    family('in_flight_requests', 'gauge', 'URLs that workers work on.', stats.inFlight),
    family('hosts', 'gauge', 'Known hosts.', stats.hosts),
    family('away_hosts', 'gauge', away, stats.hostsAway),
    family('paused', 'gauge', '1 while the job is paused.', stats.paused ? 1 : 0),
    byLabel(
      'waiting_hosts',
      'gauge',
      'Waiting hosts whose wait ends within this number of seconds.',
      'within',
      within,
    ),
    byLabel(
      'worker_in_flight_requests',
      'gauge',
      'URLs that each worker works on.',
      'worker',
      Object.fromEntries(inFlight),
    ),
  ]
}

function seenFamilies({ seen }: Stats): string[] {
  const { added, fill, falsePositiveRate: rate } = seen
  return [
    family('seen_urls', 'gauge', 'URLs that were new to the seen set of this process.', added),
    family('seen_fill_ratio', 'gauge', 'Used share of the seen set.', fill),
    family('seen_false_positive_ratio', 'gauge', 'Probability that a new URL is lost.', rate),
  ]
}

function inPrometheus(number: number): string {
  return number === Number.POSITIVE_INFINITY ? '+Inf' : String(number)
}

type Type = 'counter' | 'gauge'

function family(name: string, type: Type, help: string, value: number): string {
  return `${head(name, type, help)}orbweaver_${name} ${value}\n`
}

function byLabel(
  name: string,
  type: Type,
  help: string,
  label: string,
  values: Readonly<Record<string, number>> | ReadonlyMap<string, number>,
): string {
  // A map keeps its order. An object would put whole numbers first.
  const counts = values instanceof Map ? [...values] : Object.entries(values)
  const lines = counts.map(([value, count]) => `orbweaver_${name}{${label}="${value}"} ${count}\n`)
  return head(name, type, help) + lines.join('')
}

function head(name: string, type: Type, help: string): string {
  return `# HELP orbweaver_${name} ${help}\n# TYPE orbweaver_${name} ${type}\n`
}
