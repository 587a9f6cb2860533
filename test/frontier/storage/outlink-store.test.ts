import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { OutlinkStore } from '../../../src/frontier/storage/outlink-store.ts'
import { TABLES } from '../../../src/frontier/storage/sql-schema.ts'

it('drops the links of a depth without reading those of thousands of deeper pages', () => {
  const database = openTemporaryDatabase()
  database.exec(TABLES)
  const store = new OutlinkStore(database)
  const pages = 10_000
  const links = 'x'.repeat(400)
  const began = performance.now()
  for (let page = 1; page <= pages; page++) store.put(page, page, links, [])
  const stored = performance.now()
  for (let depth = 1; depth <= pages / 20; depth++) store.dropUpTo(depth)
  expect(performance.now() - stored).toBeLessThan(stored - began)
  database.close()
})
