import type { SeenStats } from '../seen/seen-set.ts'
import type { EndReason } from './coordinator.ts'
import type { CrawlState } from './crawl-state.ts'
import type { SeedFailure } from './seed-list.ts'

/** What one worker has done. */
export interface WorkerStats {
  readonly worker: number
  readonly elapsedMs: number
  /** URLs that it was the first to add to the seen set. */
  readonly setSize: number
  readonly fetched: number
  readonly failed: number
}

/** A crawl as it stands. */
export interface Stats {
  readonly elapsedMs: number
  /** Records written. */
  readonly visits: number
  /** How many visits ended with each HTTP status. */
  readonly statuses: Readonly<Record<string, number>>
  /** How many visits ended with each error code. */
  readonly errors: Readonly<Record<string, number>>
  /** Bytes of decoded bodies. */
  readonly bytes: number
  /** URLs that wait. */
  readonly queued: number
  readonly inFlight: number
  readonly hosts: number
  /** Attempts that were put off. */
  readonly retries: number
  /** URLs that robots.txt kept out. */
  readonly forbidden: number
  /** Bytes of memory that the process holds. */
  readonly rss: number
  readonly seen: SeenStats
  readonly workers: readonly WorkerStats[]
}

/** How a crawl ended. */
export interface Summary extends Stats {
  readonly reason: EndReason
  readonly seedsAnswered: number
  /** Some of the seeds that could not be fetched. */
  readonly seedFailures: readonly SeedFailure[]
}

/** @param inFlight URLs in the hands of workers */
export function statsOf({ config, frontier, memory, tally }: CrawlState, inFlight: number): Stats {
  const { elapsedMs, visits, bytes, postponed: retries, forbidden } = tally
  const workers = Array.from({ length: config.workers }, (_, index) => {
    const worker = index + 1
    const read = (counter: 'setSize' | 'fetched' | 'failed') =>
      memory.counters.read(worker, counter)
    const [setSize, fetched, failed] = [read('setSize'), read('fetched'), read('failed')]
    return { worker, elapsedMs, setSize, fetched, failed }
  })
  return {
    elapsedMs,
    visits,
    statuses: Object.fromEntries(tally.statuses),
    errors: Object.fromEntries(tally.errors),
    bytes,
    queued: frontier.waiting,
    inFlight,
    hosts: frontier.hosts,
    retries,
    forbidden,
    rss: process.memoryUsage.rss(),
    seen: memory.seenStats,
    workers,
  }
}
