import type { CrawlMoment } from '../../../src/cli/terminal/frame.ts'
import type { Stats, Summary } from '../../../src/crawl/stats/stats.ts'
import type { HostStats } from '../../../src/frontier/hosts/host-stats.ts'

/** Returns the statistics of a running crawl, with numbers of all lengths. */
function statsSample(workers = 2): Stats {
  return {
    ...{ elapsedMs: 187_400, visits: 1_234_567, bytes: 3 * 2 ** 30, queued: 98_765, inFlight: 32 },
    ...{ hosts: 3, hostsAway: 0, retries: 7, merged: {}, rss: 150 * 2 ** 20 },
    statuses: { 200: 1_200_000, 301: 34_000, 404: 500, 503: 60 },
    errors: { timeout: 7 },
    failed: 7,
    skipped: { duplicate: 9_999_999, 'out-of-scope': 4_321, robots: 12 },
    seen: {
      ...{ added: 1_300_000, bytes: 2 ** 21, fill: 0.4567, falsePositiveRate: 0.00042 },
      ...{
        expectedLost: 12.34,
        audit: { share: 1 / 16, sampled: 81_250, mistakes: 1, lostShare: 0 },
      },
    },
    workers: Array.from({ length: workers }, (_, index) => ({
      ...{ worker: index + 1, elapsedMs: 187_400, setSize: 650_000, fetched: 617_280 },
      ...{ failed: 3, inFlight: 16 },
    })),
  }
}

export function summarySample(summary: Partial<Summary> = {}): Summary {
  const givenUp = { first: [], count: 0, hadAnswered: 0 }
  const seeds = { seedsAnswered: 1, seedFailures: [], seedErrors: [], cutBodies: 0 }
  const ending = { reason: 'finished', traps: [], givenUp, severalMatches: {}, ...seeds } as const
  return { ...statsSample(), queued: 0, inFlight: 0, ...ending, ...summary }
}

export function momentSample(hosts: Partial<CrawlMoment['hosts']> = {}, workers = 2): CrawlMoment {
  const rates = [412.5, ...Array.from({ length: workers }, (_, index) => 206.25 + index)]
  return {
    stats: statsSample(workers),
    rates,
    hosts: { busiest: [], slowest: [], away: [], paused: [], ...hosts },
  }
}

export function hostSample(host: string, more: Partial<HostStats> = {}): HostStats {
  return { host, pages: 12_345, queued: 678, inFlight: 6, latency: 23.4, ...more }
}
