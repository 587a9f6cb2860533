import type { DatabaseSync } from 'node:sqlite'

/** Maximum number of redirects in a row that are followed. */
export const MAX_HOPS = 50

/** The redirects that follow a URL. */
export interface RedirectChain {
  /** The URLs after the first one, in order. */
  readonly steps: readonly string[]
  /** Status or error of the last URL, or why the chain was not followed to its end, such as `loop` or `not visited`. */
  readonly outcome: string
}

/** The page with a link, and the redirects from the link to the URL. */
export interface LinkSource {
  readonly page: string | undefined
  readonly redirects: readonly string[]
}

/** Follows redirects forward and backward. */
export class RedirectChains {
  readonly #visitOf: (url: string) => Record<string, unknown> | undefined

  constructor(database: DatabaseSync) {
    const query = database.prepare(
      'SELECT status, error, via, hop, target FROM visits WHERE url = ?',
    )
    this.#visitOf = (url) => query.get(url)
  }

  /** @param target the URL that `url` redirects to */
  chainFrom(url: string, target: string): RedirectChain {
    const steps: string[] = []
    let redirect = this.#visitOf(url)
    for (let next = target; steps.length < MAX_HOPS; ) {
      const isLoop = next === url || steps.includes(next)
      steps.push(next)
      if (isLoop) return { steps, outcome: 'loop' }
      const visit = this.#visitOf(next)
      // A redirect with an error, such as `too-many-redirects`, was not followed.
      if (visit === undefined)
        return { steps, outcome: String(redirect?.['error'] ?? 'not visited') }
      if (visit['target'] === null) return { steps, outcome: outcomeOf(visit) }
      next = String(visit['target'])
      redirect = visit
    }
    return { steps, outcome: `more than ${MAX_HOPS} redirects` }
  }

  /** @param via the page or redirect that first led to the URL */
  sourceOf(via: string): LinkSource {
    const redirects: string[] = []
    for (let url: string | null = via; url !== null && redirects.length < MAX_HOPS; ) {
      const visit = this.#visitOf(url)
      if (visit === undefined || visit['target'] === null || redirects.includes(url)) {
        return { page: url, redirects }
      }
      redirects.unshift(url)
      url = visit['via'] === null ? null : String(visit['via'])
    }
    return { page: undefined, redirects }
  }
}

function outcomeOf({ status, error }: Record<string, unknown>): string {
  return String(error ?? status ?? 'no response')
}
