import type { CrawlState } from '../crawl-state.ts'
import { pagesLeft } from '../end-reason.ts'

/** Settles a URL, and gives the records to be written. */
type Settle = () => readonly string[]

/** When URLs are settled. */
export interface Order {
  /** Settles a URL now, or when its turn comes; gives the records of all that were settled. */
  put(id: number, settle: Settle): string[]
  /** To be called when the frontier holds what a run begins with. */
  begin(): void
}

/** As they come. */
export const AS_THEY_COME: Order = { put: (_, settle) => [...settle()], begin() {} }

/**
 * The one order of `--deterministic`: whatever comes early waits for those before it
 * (frontier/turns.ts).
 */
export class OneOrder implements Order {
  readonly #state: CrawlState
  readonly #onAlone: () => void
  readonly #early = new Map<number, Settle>()

  /** @param onAlone told when a URL was settled while no other was admitted */
  constructor(state: CrawlState, onAlone: () => void) {
    this.#state = state
    this.#onAlone = onAlone
  }

  put(id: number, settle: Settle): string[] {
    this.#early.set(id, settle)
    const records: string[] = []
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      const isAlone = this.#state.frontier.turns?.isAlone
      records.push(...next())
      this.#state.frontier.turns?.pass()
      if (isAlone) this.#onAlone()
      this.begin()
    }
    return records
  }

  begin(): void {
    // No more than can still be written: which ones, must not depend on which are quick.
    this.#state.frontier.endings.admit(pagesLeft(this.#state), performance.now())
  }

  #takeNext(): Settle | undefined {
    const id = this.#state.frontier.turns?.next
    if (id === undefined) return undefined
    const settle = this.#early.get(id)
    this.#early.delete(id)
    return settle
  }
}
