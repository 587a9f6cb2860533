import type { DatabaseSync } from 'node:sqlite'
import type { VisitFacts } from './visit-facts.ts'

const MAX_ANCESTORS = 100
type Row = Readonly<Record<string, unknown>> | undefined

/** Finds pages that are the same in both crawls. Their links are then the same, too. */
export class UnchangedPages {
  readonly #facts

  constructor(database: DatabaseSync) {
    this.#facts = database.prepare(
      'SELECT facts, via FROM visits WHERE url = ? AND side = ? ORDER BY rowid DESC LIMIT 1',
    )
  }

  /** Follows `via` from a page toward the seed. Returns the first page that both crawls have, if it is unchanged. */
  nearestAncestor(page: string): string | undefined {
    let url: string | undefined = page
    for (let pages = 0; url !== undefined && pages < MAX_ANCESTORS; pages++) {
      const before: Row = this.#facts.get(url, 0)
      const after: Row = this.#facts.get(url, 1)
      if (before === undefined) return undefined
      if (after !== undefined)
        return hasSameLinks(String(before['facts']), String(after['facts'])) ? url : undefined
      url = typeof before['via'] === 'string' ? before['via'] : undefined
    }
    return undefined
  }
}

/** Returns whether both crawls got the same body or redirect. Equal sizes, titles and link counts don't prove that. */
function hasSameLinks(before: string, after: string): boolean {
  const [one, other]: VisitFacts[] = [JSON.parse(before), JSON.parse(after)]
  const isSame = (name: 'hash' | 'redirectsTo') =>
    one?.[name] !== undefined && one[name] === other?.[name]
  return isSame('hash') || isSame('redirectsTo')
}
