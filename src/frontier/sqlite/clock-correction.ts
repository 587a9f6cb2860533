import type { DatabaseSync } from 'node:sqlite'
import { LATEST_TIME } from '../../database/validate-stored-values.ts'
import { MAX_CRAWL_DELAY_MS } from '../../robots/crawl-delay-limit.ts'
import type { WallClock } from '../../runtime/wall-clock.ts'
import { ROBOTS_LIFETIME_MS } from '../hosts/host-robots.ts'
import { MAX_ADAPTIVE_DELAY_MS } from '../hosts/pace.ts'
import type { PolitenessOptions } from '../hosts/politeness-options.ts'
import { MAX_ROBOTS_PAUSE_MS } from '../hosts/robots-retry.ts'
import { IN_MEMORY } from '../storage/sql-schema.ts'
import type { KnownRobots } from '../storage/stored-host.ts'

/**
 * Corrects all times in the tables `hosts` and `robots` together. The clock by which they were stored may have been set
 * since, or may be that of another machine. So no time may be further ahead than the longest pause or lifetime.
 */
export class ClockCorrection {
  readonly clock: WallClock
  /** The longest pause that a host may get, in milliseconds. */
  readonly longestPause: number
  readonly #database: DatabaseSync
  readonly #longestRobotsPause: number

  constructor(
    database: DatabaseSync,
    { delay, hostDelay = {}, maxRetryAfter = 0 }: PolitenessOptions,
    clock: WallClock,
  ) {
    const longestDelay = Math.max(delay, ...Object.values(hostDelay))
    this.#database = database
    this.clock = clock
    this.longestPause = Math.max(
      ...[longestDelay, maxRetryAfter, MAX_CRAWL_DELAY_MS, MAX_ADAPTIVE_DELAY_MS],
    )
    this.#longestRobotsPause = Math.max(maxRetryAfter, MAX_ROBOTS_PAUSE_MS)
  }

  /** Returns the end of a pause that another process reports. */
  pauseEnd(wait: number, now: number): number {
    return now + Math.min(wait, this.longestPause)
  }

  /** Returns a robots.txt that another process reports, in times of the monotonic clock. */
  robotsOf({ answer, until }: KnownRobots, now: number): KnownRobots {
    const longest = 'failures' in answer ? this.#longestRobotsPause : ROBOTS_LIFETIME_MS
    return { answer, until: Math.min(this.clock.fromEpoch(until), now + longest) }
  }

  /** Bounds the times that an earlier run has stored. Invalid values stay: the code that reads them rejects them. */
  bound(now: number): void {
    const pauseEnd = this.clock.toEpoch(now + this.longestPause)
    const robotsPauseEnd = this.clock.toEpoch(now + this.#longestRobotsPause)
    const robotsEnd = this.clock.toEpoch(now + ROBOTS_LIFETIME_MS)
    const isFailed = `json_valid(answer) AND answer ->> '$.failures' IS NOT NULL`
    const isAfter = (column: string, end: number) =>
      `${column} > ${end} AND ${column} <= ${LATEST_TIME}`
    this.#database.exec(`
      UPDATE hosts SET not_before = ${pauseEnd} WHERE ${isAfter('not_before', pauseEnd)};
      UPDATE hosts SET due = ${pauseEnd} WHERE ${isAfter('due', pauseEnd)} AND dormant = 0;
      UPDATE hosts SET due = ${robotsPauseEnd} WHERE ${isAfter('due', robotsPauseEnd)};
      UPDATE robots SET until = ${robotsPauseEnd}
        WHERE ${isAfter('until', robotsPauseEnd)} AND ${isFailed};
      UPDATE robots SET until = ${robotsEnd} WHERE ${isAfter('until', robotsEnd)}`)
  }

  /** Shifts all stored times if the wall clock was set, or advanced while the machine was suspended. */
  follow(): void {
    const shift = this.clock.takeShift()
    if (shift === 0) return
    this.#database.exec(`
      UPDATE hosts SET not_before = not_before + ${shift} WHERE not_before > 0;
      UPDATE hosts SET due = max(0, due + ${shift}) WHERE due > ${IN_MEMORY};
      UPDATE hosts SET away_since = away_since + ${shift} WHERE away_since IS NOT NULL;
      UPDATE robots SET until = until + ${shift}`)
  }
}
