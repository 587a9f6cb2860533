import {
  type Claim,
  ClaimLog,
  claimsIn,
  type OlderClaims,
  readClaims,
} from '../../messages/claim-log.ts'

/** The claims of one worker, on the main thread. */
export class WorkerClaims {
  /** The memory of the worker's log. */
  readonly memory = ClaimLog.allocate()
  /** Claims that the worker handed over. Claims of pages that are not listed any more don't count. */
  #older: OlderClaims[] = []

  take(older: OlderClaims): void {
    this.#older.push(older)
  }

  /** Drops the claims that were handed over for pages that were reported. */
  drop(isReported: (page: number) => boolean): void {
    if (this.#older.length === 0) return
    this.#older = this.#older.flatMap(({ pages, entries }) => {
      const others = pages.filter((page) => !isReported(page))
      return others.length === 0 ? [] : [{ pages: others, entries }]
    })
  }

  /** Returns the claims for pages that were not reported. Must be called only after the thread has ended. */
  unreported(isAssigned: (page: number) => boolean): Claim[] {
    const older = this.#older.flatMap(({ pages, entries }) =>
      readClaims(entries).filter(({ page }) => pages.includes(page)),
    )
    const claims = [...older, ...claimsIn(this.memory)].filter(({ page }) => isAssigned(page))
    // If the thread ended while it was handing claims over, they are in both.
    return [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()]
  }
}
