import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { JobUrls } from '../../../src/frontier/sqlite/job-urls.ts'
import { UrlStore } from '../../../src/frontier/sqlite/url-store.ts'
import { growth, SLACK } from '../../support/growth.ts'

const place = { depth: 1, sameDepthHops: 0, redirects: 0, hop: 'link', via: null } as const

/** Adds this number of URLs, and removes them one by one. */
function pass(urls: number): void {
  const database = openTemporaryDatabase()
  const store = new UrlStore(database)
  const borrowed = new JobUrls(database)
  database.exec("INSERT INTO hosts (key) VALUES ('h.test')")
  for (let id = 1; id <= urls; id++) store.insert(id, `http://h.test/${id}`, 1, place)
  for (let id = 1; id <= urls; id++) borrowed.remove(id)
  expect(store.lastId).toBe(0)
  database.close()
}

it('removing a URL from 16,000 takes little more time than from 500', async () => {
  expect(await growth(pass, 500)).toBeLessThan(SLACK)
})
