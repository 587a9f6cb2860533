import type { FailedHost } from '../../frontier/politeness/host-health.ts'
import type { Logger } from '../../logger.ts'
import type { SavedGivenUp } from '../../state/ledger.ts'

/** Hosts that are remembered to be told at the end. */
const TOLD = 10

/** The hosts that a crawl gave up, for all of its runs or since its last round began. */
export class GivenUpHosts {
  /** The first few. */
  readonly first: FailedHost[] = []
  count = 0
  /** How many of them had answered before. */
  hadAnswered = 0

  get saved(): SavedGivenUp {
    const { first, count, hadAnswered } = this
    return { first, count, hadAnswered }
  }

  restore({ first, count, hadAnswered }: SavedGivenUp): void {
    this.first.push(...first)
    this.count = count
    this.hadAnswered = hadAnswered
  }

  beginRound(): void {
    this.first.length = 0
    this.count = 0
    this.hadAnswered = 0
  }

  add(host: FailedHost, logger: Logger): void {
    const { key, reason, waiting, hasAnswered } = host
    this.count++
    if (hasAnswered) this.hadAnswered++
    if (this.first.length < TOLD) this.first.push(host)
    logger.warn({ host: key, waiting }, `${key} is given up, with ${waiting} URLs: ${reason}`)
  }
}
