import type { HostWait } from '../../frontier/politeness/host-waits.ts'
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
  const { seen, workers } = stats
  return [
    family('visits_total', 'counter', 'Records written.', stats.visits),
    family('bytes_total', 'counter', 'Bytes of decoded bodies.', stats.bytes),
    family('retries_total', 'counter', 'Attempts that were put off.', stats.retries),
    byLabel('statuses_total', 'counter', 'Visits by HTTP status.', 'status', stats.statuses),
    byLabel('errors_total', 'counter', 'Visits by error code.', 'code', stats.errors),
    byLabel('skipped_total', 'counter', 'URLs not fetched, by reason.', 'reason', stats.skipped),
    family(
      'queued_urls',
      'gauge',
      'URLs that wait; with a job, those of all processes.',
      stats.queued,
    ),
    family('in_flight_requests', 'gauge', 'URLs in the hands of workers.', stats.inFlight),
    family('hosts', 'gauge', 'Hosts met so far.', stats.hosts),
    family(
      'away_hosts',
      'gauge',
      'Hosts that have stopped answering, and are waited for.',
      stats.hostsAway,
    ),
    byLabel(
      'waiting_hosts',
      'gauge',
      'Hosts that may not be asked yet, and may be within so many seconds.',
      'within',
      Object.fromEntries(waits.map(({ within, hosts }) => [inPrometheus(within), hosts])),
    ),
    byLabel(
      'worker_in_flight_requests',
      'gauge',
      'URLs in the hands of each worker.',
      'worker',
      Object.fromEntries(workers.map(({ worker, inFlight }) => [worker, inFlight])),
    ),
    family('seen_urls', 'gauge', 'URLs that the seen set here took for new.', seen.added),
    family('seen_fill_ratio', 'gauge', 'Share of the seen set that is taken.', seen.fill),
    family('seen_false_positive_ratio', 'gauge', 'Chance to lose a URL.', seen.falsePositiveRate),
    family('resident_memory_bytes', 'gauge', 'Memory of the process.', stats.rss),
    family('event_loop_delay_seconds', 'gauge', 'Mean since the last look.', delay.mean),
    family('event_loop_delay_max_seconds', 'gauge', 'Longest since the last look.', delay.max),
  ].join('')
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
  values: Readonly<Record<string, number>>,
): string {
  const lines = Object.entries(values).map(
    ([value, count]) => `orbweaver_${name}{${label}="${value}"} ${count}\n`,
  )
  return head(name, type, help) + lines.join('')
}

function head(name: string, type: Type, help: string): string {
  return `# HELP orbweaver_${name} ${help}\n# TYPE orbweaver_${name} ${type}\n`
}
