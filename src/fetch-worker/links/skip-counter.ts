import type { ClaimLog } from '../../messages/claim-log.ts'
import type { AccountCounter, AccountCounts } from '../../messages/counters.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { mergedKey, type Skip, skipKey } from '../../records/skip.ts'
import { openSeenSet } from '../../seen/registry.ts'
import type { SeenSet } from '../../seen/seen-set.ts'
import type { Rewriting } from './link-list.ts'

/** As much of a URL that is none as is worth keeping. */
const MAX_SHOWN = 2_000

/** What a page is the first to have accounted for. */
export interface Account {
  /** URLs for the file of `--skipped`, where there is one. */
  readonly skipped: readonly Skip[]
  readonly counts?: AccountCounts
}

const NOTHING: Account = { skipped: [] }

type AccountsSetup = Pick<WorkerSetup, 'accounts' | 'owner' | 'tellSkipped' | 'deterministic'>

/** Accounts for what is named and not fetched, each URL once per reason, over all workers. */
export class Accounts {
  readonly #told: SeenSet
  readonly #log: ClaimLog
  readonly #keepsLines: boolean
  readonly #tellsAll: boolean

  constructor(setup: AccountsSetup, log: ClaimLog) {
    this.#told = openSeenSet(setup.accounts, setup.owner)
    this.#log = log
    this.#keepsLines = setup.tellSkipped
    this.#tellsAll = setup.deterministic
  }

  /**
   * @param skips URLs that the page names and that are not fetched
   * @param rewritings URLs that rules of `--canonicalize` merged with others
   */
  of(page: CrawlUrl, skips: readonly Skip[], rewritings: readonly Rewriting[]): Account {
    if (skips.length === 0 && rewritings.length === 0) return NOTHING
    const counts: Partial<Record<AccountCounter, number>> = {}
    const count = (counter: AccountCounter) => {
      counts[counter] = (counts[counter] ?? 0) + 1
    }
    const shown = skips.map((skip) => ({ ...skip, url: skip.url.slice(0, MAX_SHOWN) }))
    const fresh = this.#untold(page, shown)
    for (const { reason } of fresh) count(`skip:${reason}`)
    for (const { rules } of this.#unmerged(page, rewritings))
      for (const rule of rules) count(`merge:${rule}`)
    // Which worker was first is decided elsewhere then.
    const told = this.#tellsAll ? shown : fresh
    return { skipped: this.#keepsLines ? told : [], counts }
  }

  #untold({ id, depth }: CrawlUrl, skips: readonly Skip[]): readonly Skip[] {
    if (skips.length === 0) return skips
    const isNew = this.#told.addIfNew(skips.map(skipKey), (place) => {
      const skip = skips[place]
      if (skip !== undefined) this.#log.note(id, skip.reason, skip.url, skip.depth > depth)
    })
    return skips.filter((_, index) => isNew[index])
  }

  #unmerged({ id }: CrawlUrl, rewritings: readonly Rewriting[]): readonly Rewriting[] {
    if (rewritings.length === 0) return rewritings
    const keys = rewritings.map(({ before }) => mergedKey(before))
    const isNew = this.#told.addIfNew(keys, (place) => {
      const { rules = [], before = '' } = rewritings[place] ?? {}
      this.#log.note(id, 'merged', `${rules.join()} ${before}`)
    })
    return rewritings.filter((_, index) => isNew[index])
  }
}
