import type { Crawler } from '../crawlers/crawler.ts'
import { median, type Spread, spreadOf } from '../measure/statistics.ts'
import type { TimedRun } from '../measure/timed-run.ts'
import type { Site } from '../sites/site.ts'

/** A run of a crawler on a site, and its results. */
export interface Sample extends TimedRun {
  /** Number of existing pages of the site that the crawler fetched. */
  readonly pages: number
  readonly requests: number
}

export interface SiteResults {
  readonly site: Site
  /** Number of HTML pages of the site. */
  readonly pages: number
  /** Requests per second that the server handles, measured by wrk. */
  readonly serverLimit: number
  /** Samples by crawler, in the order of the rounds. */
  readonly samples: ReadonlyMap<Crawler, readonly Sample[]>
}

/** The row of a crawler in the table. */
export interface Figures {
  readonly wallMs: number
  readonly pagesPerSecond: Spread
  /** Wall time and CPU time per page, as multiples of the first crawler's in the same round. */
  readonly wallRatio: Spread
  readonly cpuRatio: Spread
  readonly cpuSecondsPer1000: number
  readonly peakRss: number
  readonly pages: number
  readonly requests: number
}

/** Summarizes samples. Times are compared per fetched page, so a crawler that stopped early doesn't look faster. */
export function figuresOf(samples: readonly Sample[], first: readonly Sample[]): Figures {
  const perPage = (of: Sample, time: 'wallMs' | 'cpuMs') => of[time] / of.pages
  const ratio = (time: 'wallMs' | 'cpuMs') =>
    spreadOf(
      samples.map((sample, round) => perPage(sample, time) / perPage(first[round] ?? sample, time)),
    )
  return {
    wallMs: median(samples.map((sample) => sample.wallMs)),
    pagesPerSecond: spreadOf(samples.map(({ pages, wallMs }) => (pages * 1_000) / wallMs)),
    wallRatio: ratio('wallMs'),
    cpuRatio: ratio('cpuMs'),
    cpuSecondsPer1000: median(samples.map((sample) => perPage(sample, 'cpuMs'))),
    peakRss: median(samples.map((sample) => sample.peakRss)),
    pages: median(samples.map((sample) => sample.pages)),
    requests: median(samples.map((sample) => sample.requests)),
  }
}
