import type { Stats, VisitCounts } from './stats.ts'

/** Returns the counts of the current round. In the first round, these are the counts of the crawl. */
export function countsOfRound(stats: VisitCounts & Pick<Stats, 'round'>): VisitCounts {
  return stats.round ?? stats
}

/**
 * Returns the number of visits in the round as text, with those in this run and in all rounds if they differ: `7 visits
 * in round 2 (3 of them in this run, 14 in all rounds)`.
 * @param format formats a number
 */
export function visitsText(
  { round, visits, visitsOfRun }: Pick<Stats, 'round' | 'visits' | 'visitsOfRun'>,
  format: (count: number) => string = String,
): string {
  const ofRound = round?.visits ?? visits
  const isPart = visitsOfRun !== undefined && visitsOfRun !== ofRound
  const others = [
    ...(isPart ? [`${format(visitsOfRun)} of them in this run`] : []),
    ...(round === undefined ? [] : [`${format(visits)} in all rounds`]),
  ]
  return [
    `${format(ofRound)} ${ofRound === 1 ? 'visit' : 'visits'}`,
    ...(round === undefined ? [] : [`in round ${round.number}`]),
    ...(others.length === 0 ? [] : [`(${others.join(', ')})`]),
  ].join(' ')
}
