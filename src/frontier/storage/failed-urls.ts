import type { DatabaseSync } from 'node:sqlite'
import { retriedStatuses, TRANSIENT_FAILURES } from '../../records/error-code.ts'
import { DROPPED_IDS, DroppedVisits } from '../../state/dropped-visits.ts'
import { URL_STATE } from './stored-url.ts'

const CODES = TRANSIENT_FAILURES.map((code) => `'${code}'`).join()

/** URLs whose last visit failed for a transient reason, or whose host was given up. */
export class FailedUrls {
  readonly #database: DatabaseSync
  /** Condition for a row of `urls`. */
  readonly #maySucceed: string

  /**
   * @param database with the tables of a crawl, `visits` included
   * @param retryStatus the statuses of `--retry-status`
   */
  constructor(database: DatabaseSync, retryStatus: readonly string[]) {
    DroppedVisits.createTable(database)
    this.#database = database
    const statuses = [...retriedStatuses(retryStatus)].join()
    this.#maySucceed = `(
      state = ${URL_STATE.hostFailed}
      OR state IN (${URL_STATE.visited}, ${URL_STATE.failed})
        AND id IN (SELECT url FROM visits WHERE error IN (${CODES}) OR status IN (${statuses}))
        AND id NOT IN (${DROPPED_IDS}))`
  }

  /**
   * Returns the number of these URLs.
   * @param after only URLs without a visit at that time or before (milliseconds since 1970)
   */
  count(after = Number.MIN_SAFE_INTEGER): number {
    const query = `
      SELECT count(*) AS urls FROM urls
      WHERE ${this.#maySucceed} AND id NOT IN (SELECT url FROM visits WHERE at <= ?)`
    return Number(this.#database.prepare(query).get(after)?.['urls'])
  }

  /**
   * Makes these URLs ready again, each as if it had never been requested. Unreachable robots.txt files are
   * requested again, too.
   */
  retry(): void {
    this.#database.exec(`
      UPDATE hosts SET pages = max(0, pages - again.urls)
        FROM (SELECT host, count(*) AS urls FROM urls WHERE attempts > 0 AND ${this.#maySucceed} GROUP BY host) AS again
        WHERE again.host = hosts.id;
      UPDATE urls SET state = ${URL_STATE.ready}, attempts = 0, failures = 0 WHERE ${this.#maySucceed};
      UPDATE hosts SET due = not_before, dormant = 0
        WHERE id IN (SELECT host FROM urls WHERE state = ${URL_STATE.ready});
      DELETE FROM robots WHERE json_valid(answer) AND answer ->> '$.access' = 'disallow-all'`)
  }
}
