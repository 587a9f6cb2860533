import type { ClaimLog } from '../../messages/claim-log.ts'
import type { SkipCounterName } from '../../messages/counters.ts'
import type { CountedSkips } from '../../messages/outcome.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { mergedKey, type Skip, skipKey } from '../../records/skip.ts'
import type { SeenSet } from '../../seen/seen-set.ts'
import { openSeenSet } from '../../seen/seen-set-lifecycle.ts'
import { ScopePatterns } from '../../url/scope-patterns.ts'
import type { UrlRewrite } from './link-list.ts'

/** Maximum number of characters that are kept of a skipped link. */
const MAX_SHOWN = 2_000

const NOTHING: CountedSkips = { skipped: [] }

type SkipCounterSetup = Pick<
  WorkerSetup,
  'countedSkips' | 'owner' | 'listsSkipped' | 'defersSeenCheck' | 'scope'
>

/**
 * Counts URLs that are not fetched, each once per reason, over all workers. If the main thread makes the seen check, it
 * also counts these URLs, of the pages that it applies.
 */
export class SkipCounter {
  readonly #counted: SeenSet
  readonly #claims: ClaimLog
  readonly #listsSkipped: boolean
  readonly #isDeferred: boolean
  /** Finds the patterns that exclude URLs, for the list. */
  readonly #patterns: ScopePatterns | undefined

  constructor(setup: SkipCounterSetup, claims: ClaimLog) {
    this.#counted = openSeenSet(setup.countedSkips, setup.owner)
    this.#claims = claims
    this.#listsSkipped = setup.listsSkipped
    this.#isDeferred = setup.defersSeenCheck
    this.#patterns = setup.listsSkipped ? new ScopePatterns(setup.scope) : undefined
  }

  /**
   * Counts the skips and rewrites that no other page has counted.
   * @param skips URLs of the page that are not fetched
   * @param rewrites URLs that `--canonicalize` or `--strip-query` merged with others
   */
  count(page: CrawlUrl, skips: readonly Skip[], rewrites: readonly UrlRewrite[]): CountedSkips {
    if (skips.length === 0 && rewrites.length === 0) return NOTHING
    const counts: Partial<Record<SkipCounterName, number>> = {}
    const count = (counter: SkipCounterName) => {
      counts[counter] = (counts[counter] ?? 0) + 1
    }
    const shown = skips.map((skip) => ({ ...skip, url: skip.url.slice(0, MAX_SHOWN) }))
    for (const { rules } of this.#notMerged(page, rewrites))
      for (const rule of rules) count(`merge:${rule}`)
    if (this.#isDeferred) return { skipped: shown.map((skip) => this.#withRule(skip)), counts }
    const fresh = this.#notCounted(page, shown)
    for (const { reason } of fresh) count(`skip:${reason}`)
    return { skipped: this.#listsSkipped ? fresh.map((skip) => this.#withRule(skip)) : [], counts }
  }

  #withRule(skip: Skip): Skip {
    const rule = skip.reason === 'excluded' ? this.#patterns?.exclusionOf(skip.url) : undefined
    return rule === undefined ? skip : { ...skip, rule }
  }

  #notCounted({ id, depth }: CrawlUrl, skips: readonly Skip[]): readonly Skip[] {
    if (skips.length === 0) return skips
    const isNew = this.#counted.addIfNew(skips.map(skipKey), (place) => {
      const skip = skips[place]
      if (skip !== undefined) this.#claims.add(id, skip.reason, skip.url, skip.depth > depth)
    })
    return skips.filter((_, index) => isNew[index])
  }

  #notMerged({ id }: CrawlUrl, rewrites: readonly UrlRewrite[]): readonly UrlRewrite[] {
    if (rewrites.length === 0) return rewrites
    const keys = rewrites.map(({ before }) => mergedKey(before))
    const isNew = this.#counted.addIfNew(keys, (place) => {
      const { rules = [], before = '' } = rewrites[place] ?? {}
      this.#claims.add(id, 'merged', `${rules.join()} ${before}`)
    })
    return rewrites.filter((_, index) => isNew[index])
  }
}
