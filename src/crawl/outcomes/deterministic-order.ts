import type { Frontier } from '../../frontier/frontier.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import type { RunningTotals } from '../stats/running-totals.ts'

/** Applies an outcome, and returns the records to write. */
type ApplyOutcome = () => readonly Delivery[]

/** The order in which outcomes are applied. */
export interface OutcomeOrder {
  /** Applies an outcome now, or when it is its turn. Returns the records of all outcomes that were applied. */
  put(id: number, apply: ApplyOutcome): Delivery[]
  /** Must be called when the frontier has the first URLs of a run. */
  begin(): void
}

/** Applies outcomes as they arrive. */
export const ARRIVAL_ORDER: OutcomeOrder = { put: (_, apply) => [...apply()], begin() {} }

export interface DeterministicOrderParts {
  readonly frontier: Pick<Frontier, 'settleOrder' | 'admit'>
  readonly tally: RunningTotals
}

/** The order of `--deterministic`: an outcome waits for all that precede it (frontier/deterministic/level-order.ts). */
export class DeterministicOrder implements OutcomeOrder {
  readonly #parts: DeterministicOrderParts
  readonly #onAlone: () => void
  readonly #early = new Map<number, ApplyOutcome>()

  /** @param onAlone called when an outcome was applied while no other URL was admitted */
  constructor(parts: DeterministicOrderParts, onAlone: () => void) {
    this.#parts = parts
    this.#onAlone = onAlone
  }

  put(id: number, apply: ApplyOutcome): Delivery[] {
    this.#early.set(id, apply)
    const visits: Delivery[] = []
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      const order = this.#parts.frontier.settleOrder
      const isAlone = order?.isAlone
      visits.push(...next())
      order?.pass()
      if (isAlone) this.#onAlone()
      this.#admit()
    }
    return visits
  }

  begin(): void {
    this.#admit()
  }

  #admit(): void {
    const { frontier, tally } = this.#parts
    // At most as many as records may still be written: which URLs get one must not depend on the speed of workers.
    frontier.admit(tally.pagesLeft, performance.now())
  }

  #takeNext(): ApplyOutcome | undefined {
    const id = this.#parts.frontier.settleOrder?.next
    if (id === undefined) return undefined
    const apply = this.#early.get(id)
    this.#early.delete(id)
    return apply
  }
}
