import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { UnchangedPages } from '../../../src/inspect/diff/unchanged-pages.ts'

type Row = readonly [url: string, side: 0 | 1, facts: string, via: string | null]

/** Returns the pages that are the same in two crawls with these records. */
function unchangedPagesOf(rows: readonly Row[]): UnchangedPages {
  const database = openTemporaryDatabase()
  database.exec('CREATE TABLE visits (url TEXT, side INTEGER, facts TEXT, via TEXT)')
  database.exec('CREATE INDEX by_url ON visits (url, side)')
  const insert = database.prepare('INSERT INTO visits VALUES (?, ?, ?, ?)')
  for (const row of rows) insert.run(...row)
  return new UnchangedPages(database)
}

const chain = (length: number) =>
  Array.from({ length }, (_, at): Row => [`${at}`, 0, '{}', at === 0 ? 'home' : `${at - 1}`])
const home = (hash: string, side: 0 | 1): Row => ['home', side, JSON.stringify({ hash }), null]

it('the unchanged page that a long chain of pages begins at is found from each of them', () => {
  const pages = unchangedPagesOf([home('a', 0), home('a', 1), ...chain(5_000)])
  const found = ['4999', '2', '0', '3000', 'home'].map((page) => pages.nearestAncestor(page))
  expect(found).toEqual(Array(5).fill('home'))
})

it('no unchanged page is found from a chain that begins at a changed or unknown page, or in a circle', () => {
  const changed = unchangedPagesOf([home('a', 0), home('b', 1), ...chain(3)])
  const unknown = unchangedPagesOf(chain(3))
  const circle = unchangedPagesOf([home('a', 1), ['home', 0, '{}', '2'], ...chain(3).slice(1)])
  const endless = unchangedPagesOf([['0', 0, '{}', '2'], ...chain(3).slice(1)])
  for (const pages of [changed, unknown, circle, endless]) {
    expect(['2', '1', '2'].map((page) => pages.nearestAncestor(page))).toEqual(
      Array(3).fill(undefined),
    )
  }
})
