import type { DatabaseSync } from 'node:sqlite'
import { TRANSIENT_FAILURES, TRANSIENT_STATUSES } from '../../records/error-code.ts'
import { URL_STATE } from '../storage/known-url-table.ts'

const CODES = TRANSIENT_FAILURES.map((code) => `'${code}'`).join()
const STATUSES = TRANSIENT_STATUSES.join()

/** Condition for a row of `urls`. */
const MAY_SUCCEED = `(
  state = ${URL_STATE.hostFailed}
  OR state IN (${URL_STATE.visited}, ${URL_STATE.failed})
    AND id IN (SELECT url FROM visits WHERE error IN (${CODES}) OR status IN (${STATUSES})))`

/** URLs whose last visit failed for a transient reason, or whose host was given up. */
export class FailedUrls {
  readonly #database: DatabaseSync

  /** @param database with the tables of a crawl, `visits` included */
  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get count(): number {
    const query = `SELECT count(*) AS urls FROM urls WHERE ${MAY_SUCCEED}`
    return Number(this.#database.prepare(query).get()?.['urls'])
  }

  /**
   * Makes these URLs ready again, each as if it had never been requested. Unreachable robots.txt files are
   * requested again, too.
   */
  retry(): void {
    this.#database.exec(`
      UPDATE hosts SET pages = max(0, pages - again.urls)
        FROM (SELECT host, count(*) AS urls FROM urls WHERE attempts > 0 AND ${MAY_SUCCEED} GROUP BY host) AS again
        WHERE again.host = hosts.id;
      UPDATE urls SET state = ${URL_STATE.ready}, attempts = 0, failures = 0 WHERE ${MAY_SUCCEED};
      UPDATE hosts SET due = not_before, dormant = 0
        WHERE id IN (SELECT host FROM urls WHERE state = ${URL_STATE.ready});
      DELETE FROM robots WHERE json_valid(answer) AND answer ->> '$.access' = 'disallow-all'`)
  }
}
