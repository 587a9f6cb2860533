import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { UrlStore } from '../../../src/frontier/storage/url-store.ts'

it('says how many URLs have a host without a row, at whatever depths they are', () => {
  const database = openTemporaryDatabase()
  const store = new UrlStore(database)
  const place = { sameDepthHops: 0, redirects: 0, hop: 'link', via: null } as const
  for (const [key, depth] of [0, 1, 2, 2].entries()) {
    store.insert(key, `http://h.test/${key}`, 1, { depth, ...place })
  }
  const count = () => store.waitingByDepth()
  expect(count).toThrow('hosts has no row for the hosts of 4 URLs in urls')
  database.exec("INSERT INTO hosts (key) VALUES ('h.test')")
  expect(count().map(({ count }) => count)).toEqual([1, 1, 2])
  database.close()
})
