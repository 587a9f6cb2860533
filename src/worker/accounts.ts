import { openSeenSet } from '../seen/registry.ts'
import { Counters } from '../wire/counters.ts'
import { encodeSkip, type Skip } from '../wire/skip.ts'
import type { WorkerSetup } from '../wire/worker-setup.ts'
import type { Rewriting } from './link-list.ts'

/** As much of a URL that is none as is worth keeping. */
const MAX_SHOWN = 2_000

/** Accounts for what is named and not fetched, each URL once per reason, over all workers. */
export class Accounts {
  readonly #told
  readonly #counters: Counters
  readonly #worker: number
  readonly #keepsLines: boolean
  readonly #tellsAll: boolean

  constructor(setup: WorkerSetup) {
    this.#told = openSeenSet(setup.accounts, setup.owner)
    this.#counters = new Counters(setup.counters)
    this.#worker = setup.worker
    this.#keepsLines = setup.tellSkipped
    this.#tellsAll = setup.deterministic
  }

  /** @returns lines for the file of `--skipped`, where there is one */
  skip(skips: readonly Skip[]): readonly string[] {
    if (skips.length === 0) return []
    const shown = skips.map((skip) => ({ ...skip, url: skip.url.slice(0, MAX_SHOWN) }))
    const isNew = this.#told.addIfNew(shown.map(({ reason, url }) => `${reason} ${url}`))
    const fresh = shown.filter((_, index) => isNew[index])
    for (const { reason } of fresh) this.#counters.add(this.#worker, `skip:${reason}`, 1)
    // Which worker was first is decided elsewhere then.
    const told = this.#tellsAll ? shown : fresh
    return this.#keepsLines ? told.map(encodeSkip) : []
  }

  /** Counts the URLs that rules of `--canonicalize` merged with others. */
  merge(rewritings: readonly Rewriting[]): void {
    if (rewritings.length === 0) return
    const isNew = this.#told.addIfNew(rewritings.map(({ before }) => `merged ${before}`))
    for (const [index, { rules }] of rewritings.entries()) {
      if (!isNew[index]) continue
      for (const rule of rules) this.#counters.add(this.#worker, `merge:${rule}`, 1)
    }
  }
}
