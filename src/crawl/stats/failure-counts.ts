import type { VisitCounts } from './stats.ts'

/** Returns the number of visits with a status of 4xx or 5xx. */
export function countHttpErrors(counts: Pick<VisitCounts, 'statuses'>): number {
  return sumOf(httpErrorsIn(counts))
}

/** Returns the statuses 4xx and 5xx, each with its number of visits. */
export function httpErrorsIn({ statuses }: Pick<VisitCounts, 'statuses'>): [string, number][] {
  return Object.entries(statuses).filter(([status]) => isHttpError(Number(status)))
}

export function isHttpError(status: number): boolean {
  return status >= 400
}

export function sumOf(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((sum, [, times]) => sum + times, 0)
}
