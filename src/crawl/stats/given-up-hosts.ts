import { countOf } from '../../english-text.ts'
import type { FailedHost } from '../../frontier/hosts/failed-host.ts'
import type { Logger } from '../../logger.ts'
import type { SavedGivenUp } from '../../state/ledger.ts'

/** Number of hosts to remember for the summary. */
const MAX_REMEMBERED = 10

/** The hosts that a crawl gave up in all of its runs, or since its last round began. */
export class GivenUpHosts {
  readonly #logger: Logger
  #first: FailedHost[] = []
  #count = 0
  #hadAnswered = 0

  constructor(logger: Logger) {
    this.#logger = logger
  }

  get saved(): SavedGivenUp {
    return { first: this.#first, count: this.#count, hadAnswered: this.#hadAnswered }
  }

  restore({ first, count, hadAnswered }: SavedGivenUp): void {
    this.#first = [...first]
    this.#count = count
    this.#hadAnswered = hadAnswered
  }

  beginRound(): void {
    this.restore({ first: [], count: 0, hadAnswered: 0 })
  }

  /** Counts a host, and logs a warning. */
  add(host: FailedHost): void {
    const { key, reason, waiting, hasAnswered } = host
    this.#count++
    if (hasAnswered) this.#hadAnswered++
    if (this.#first.length < MAX_REMEMBERED) this.#first.push(host)
    this.#logger.warn(
      { host: key, waiting },
      `${key} is given up, with ${countOf(waiting, 'URL')}: ${reason}`,
    )
  }
}
