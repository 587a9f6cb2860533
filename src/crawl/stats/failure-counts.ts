import type { VisitCounts } from './stats.ts'

/** Numbers of visits without a usable page. */
interface FailureCounts {
  /** Visits with a status of 4xx or 5xx. */
  readonly httpErrors: number
  /** URLs that got no usable response. */
  readonly failed: number
}

export function countFailures(stats: Pick<VisitCounts, 'errors' | 'statuses'>): FailureCounts {
  return { httpErrors: sumOf(httpErrorsIn(stats)), failed: sumOf(Object.entries(stats.errors)) }
}

/** Returns the statuses 4xx and 5xx, each with its number of visits. */
export function httpErrorsIn({ statuses }: Pick<VisitCounts, 'statuses'>): [string, number][] {
  return Object.entries(statuses).filter(([status]) => Number(status) >= 400)
}

function sumOf(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((sum, [, times]) => sum + times, 0)
}
