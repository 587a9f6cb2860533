import type { Beside, Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Where seeds redirect to takes their place, and may take the scope with it. */
export class SeedRedirects {
  readonly #state: CrawlState
  readonly #onWiden: (url: string) => void

  /** @param onWiden told when a seed takes the scope to another host */
  constructor(state: CrawlState, onWiden: (url: string) => void) {
    this.#state = state
    this.#onWiden = onWiden
  }

  /** What a visit leads to at its own depth, a redirect that left the scope included. */
  follow(crawlUrl: CrawlUrl, outcome: Visited): readonly Beside[] {
    const followed = this.#widenedBy(crawlUrl, outcome)
    const beside = followed === undefined ? outcome.beside : [...outcome.beside, followed]
    this.#extendChain(crawlUrl, beside)
    return beside
  }

  /** A seed that redirects out of the scope takes the scope with it, and nothing else does. */
  #widenedBy({ url: via, depth }: CrawlUrl, { leaves }: Visited): Beside | undefined {
    const { scope, seeds, skips } = this.#state
    if (leaves === undefined) return undefined
    const mayWiden = seeds.has(via)
    if (!mayWiden || !scope.widen(leaves)) {
      const reason = mayWiden ? 'excluded' : 'out-of-scope'
      skips.note({ url: leaves, via, depth, reason })
      return undefined
    }
    this.#onWiden(leaves)
    return { hop: 'redirect', urls: [leaves] }
  }

  #extendChain({ url }: CrawlUrl, beside: readonly Beside[]): void {
    const { seeds } = this.#state
    if (!seeds.has(url)) return
    for (const { hop, urls } of beside) {
      if (hop === 'redirect') for (const target of urls) seeds.addToChain(target)
    }
  }
}
