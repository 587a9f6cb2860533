import type { Delivery } from '../../records/delivery.ts'
import type { CrawlState } from '../crawl-state.ts'
import { pagesLeft } from '../end-reason.ts'

/** Settles a URL, and gives what is to be written. */
type ApplyOutcome = () => readonly Delivery[]

/** When URLs are settled. */
export interface OutcomeOrder {
  /** Settles a URL now, or when its turn comes; gives what all that were settled write. */
  put(id: number, settle: ApplyOutcome): Delivery[]
  /** To be called when the frontier holds what a run begins with. */
  begin(): void
}

/** As they come. */
export const ARRIVAL_ORDER: OutcomeOrder = { put: (_, settle) => [...settle()], begin() {} }

/**
 * The one order of `--deterministic`: whatever comes early waits for those before it
 * (frontier/deterministic/level-order.ts).
 */
export class DeterministicOrder implements OutcomeOrder {
  readonly #state: CrawlState
  readonly #onAlone: () => void
  readonly #early = new Map<number, ApplyOutcome>()

  /** @param onAlone told when a URL was settled while no other was admitted */
  constructor(state: CrawlState, onAlone: () => void) {
    this.#state = state
    this.#onAlone = onAlone
  }

  put(id: number, settle: ApplyOutcome): Delivery[] {
    this.#early.set(id, settle)
    const visits: Delivery[] = []
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      const isAlone = this.#state.frontier.settleOrder?.isAlone
      visits.push(...next())
      this.#state.frontier.settleOrder?.pass()
      if (isAlone) this.#onAlone()
      this.begin()
    }
    return visits
  }

  begin(): void {
    // No more than can still be written: which ones, must not depend on which are quick.
    this.#state.frontier.admit(pagesLeft(this.#state), performance.now())
  }

  #takeNext(): ApplyOutcome | undefined {
    const id = this.#state.frontier.settleOrder?.next
    if (id === undefined) return undefined
    const settle = this.#early.get(id)
    this.#early.delete(id)
    return settle
  }
}
