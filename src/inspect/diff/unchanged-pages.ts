import type { DatabaseSync } from 'node:sqlite'
import type { VisitFacts } from './visit-facts.ts'

/** Maximum number of pages that are followed at once, which are kept in memory. */
const MAX_ANCESTORS = 10_000
const TABLE = 'CREATE TABLE ancestors (page TEXT PRIMARY KEY, unchanged TEXT) WITHOUT ROWID'
const FACTS = 'SELECT facts, via FROM visits WHERE url = ? AND side = ? ORDER BY rowid DESC LIMIT 1'
type Row = Readonly<Record<string, unknown>> | undefined

/** Finds pages that are the same in both crawls. Their links are then the same, too. */
export class UnchangedPages {
  readonly #facts
  readonly #known
  readonly #remember

  /** @param database the database of visits; stores what was found, so that no page is followed twice */
  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#facts = database.prepare(FACTS)
    this.#known = database.prepare('SELECT unchanged FROM ancestors WHERE page = ?')
    this.#remember = database.prepare('INSERT INTO ancestors VALUES (?, ?)')
  }

  /** Follows `via` from a page toward the seed. Returns the first page that both crawls have, if it is unchanged. */
  nearestAncestor(page: string): string | undefined {
    const passed = new Set<string>()
    const unchanged = this.#follow(page, passed)
    for (const url of passed) this.#remember.run(url, unchanged ?? null)
    return unchanged
  }

  /** @param passed gets the pages on the way that aren't known yet */
  #follow(page: string, passed: Set<string>): string | undefined {
    for (let url = page; passed.size < MAX_ANCESTORS && !passed.has(url); ) {
      const known: Row = this.#known.get(url)
      if (known !== undefined) return textOrNone(known['unchanged'])
      passed.add(url)
      const before: Row = this.#facts.get(url, 0)
      const after: Row = this.#facts.get(url, 1)
      if (before !== undefined && after !== undefined)
        return hasSameLinks(String(before['facts']), String(after['facts'])) ? url : undefined
      const via = textOrNone(before?.['via'])
      if (via === undefined) return undefined
      url = via
    }
    return undefined
  }
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns whether both crawls got the same body or redirect. Equal sizes, titles and link counts don't prove that. */
function hasSameLinks(before: string, after: string): boolean {
  const [one, other]: VisitFacts[] = [JSON.parse(before), JSON.parse(after)]
  const isSame = (name: 'hash' | 'redirectsTo') =>
    one?.[name] !== undefined && one[name] === other?.[name]
  return isSame('hash') || isSame('redirectsTo')
}
