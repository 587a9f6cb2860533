import type { DatabaseSync } from 'node:sqlite'
import { withoutFragment } from '../../url/fragment.ts'
import type { LinkFinding } from './link-findings.ts'
import type { LinkVerdict } from './link-judge.ts'

const TABLES = `
  CREATE TABLE findings (id INTEGER PRIMARY KEY, finding TEXT);
  CREATE TABLE unchecked (url TEXT PRIMARY KEY) WITHOUT ROWID`
const FINDINGS = 'SELECT finding FROM findings ORDER BY id'
const WIDESPREAD = `
  SELECT finding ->> 'problem' AS problem, finding ->> 'to' AS target, count(*) AS pages
  FROM findings GROUP BY 1, 2 HAVING count(*) > ?`
const UNCHECKED = 'SELECT count(*) AS images FROM unchecked'

/** The results of a check, stored on disk: a report reads the findings several times. */
export class JudgedLinks {
  readonly #database: DatabaseSync
  #unchecked = 0
  #known = 0

  /**
   * @param database gets the tables of the results
   * @param onlyImages true to leave out all links but those of images
   */
  constructor(database: DatabaseSync, verdicts: Iterable<LinkVerdict>, onlyImages: boolean) {
    this.#database = database
    database.exec(TABLES)
    const insert = database.prepare('INSERT INTO findings VALUES (NULL, ?)')
    const addUnchecked = database.prepare('INSERT OR IGNORE INTO unchecked VALUES (?)')
    for (const verdict of verdicts) {
      if (onlyImages && verdict.image !== true) continue
      if (verdict.problem === 'known') this.#known++
      else if (verdict.problem === 'unchecked') {
        this.#unchecked++
        if (verdict.image === true) addUnchecked.run(withoutFragment(verdict.to))
      } else insert.run(JSON.stringify(verdict))
    }
  }

  /** Number of links that were not checked. */
  get unchecked(): number {
    return this.#unchecked
  }

  /** Number of different image URLs that were not checked. */
  get uncheckedImages(): number {
    return Number(this.#database.prepare(UNCHECKED).get()?.['images'])
  }

  /** Number of problems that an earlier check found. */
  get known(): number {
    return this.#known
  }

  /** Yields findings page by page. */
  *findings(): Generator<LinkFinding> {
    for (const { finding } of this.#database.prepare(FINDINGS).iterate())
      yield JSON.parse(String(finding))
  }

  /** Returns the problems that more than `most` pages have. */
  widespread(most: number): WidespreadProblem[] {
    return this.#database
      .prepare(WIDESPREAD)
      .all(most)
      .map(({ problem, target, pages }) => {
        return { problem: String(problem), to: String(target), pages: Number(pages) }
      })
  }
}

/** A problem of a link that several pages have. */
interface WidespreadProblem {
  readonly problem: string
  readonly to: string
  /** Number of pages with the link. */
  readonly pages: number
}
