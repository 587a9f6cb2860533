import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { LINK_TABLES, LinkJudge } from '../../../src/inspect/check/link-judge.ts'
import { heapBytes } from '../../support/heap-bytes.ts'

const PAGES = 24

it('keeps only a part of the names of many large pages in memory while it compares fragments', () => {
  const database = openTemporaryDatabase()
  database.exec(LINK_TABLES)
  const insertPage = database.prepare('INSERT INTO pages VALUES (?, ?, ?, 0)')
  const insertVisit = database.prepare('INSERT INTO visits (url, status) VALUES (?, 200)')
  const insertLink = database.prepare("INSERT INTO links VALUES (NULL, 1, ?, '#missing', 0, 0)")
  for (let page = 1; page <= PAGES; page++) {
    const url = `http://a/${page}`
    const anchors = Array.from({ length: 20_000 }, (_, name) => `${url}/${name}`)
    insertPage.run(page, url, JSON.stringify(anchors))
    insertVisit.run(url)
    insertLink.run(url)
  }
  const settings = { maxRedirects: 20, canonicalize: [], stripQuery: false }
  const before = heapBytes()
  let [found, after] = [0, 0]
  for (const { problem } of new LinkJudge(database, settings, {}).verdicts()) {
    if (problem === 'fragment' && ++found === PAGES) after = heapBytes()
  }
  expect(found).toBe(PAGES)
  expect(after - before).toBeLessThan(25e6)
  database.close()
})
