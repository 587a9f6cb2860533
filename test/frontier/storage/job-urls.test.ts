import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import { JobUrls } from '../../../src/frontier/storage/job-urls.ts'
import { UrlStore } from '../../../src/frontier/storage/url-store.ts'
import { growth, SLACK } from '../../support/growth.ts'

const place = { depth: 1, sameDepthHops: 0, redirects: 0, hop: 'link', via: null } as const

/** Adds this number of URLs, each on a host of its own, and removes each of them. */
function pass(urls: number, remove: (borrowed: JobUrls, id: number) => void): void {
  const database = openTemporaryDatabase()
  const store = new UrlStore(database)
  const borrowed = new JobUrls(database)
  const addHost = database.prepare('INSERT INTO hosts (id, key) VALUES (?, ?)')
  for (let id = 1; id <= urls; id++) {
    addHost.run(id, `${id}.test`)
    store.insert(id, `http://${id}.test/`, id, place)
  }
  for (let id = 1; id <= urls; id++) remove(borrowed, id)
  expect(store.lastId).toBe(0)
  database.close()
}

it('removing a URL from 16,000 takes little more time than from 500', async () => {
  const remove = (borrowed: JobUrls, id: number) => borrowed.remove(id)
  expect(await growth((urls) => pass(urls, remove), 500)).toBeLessThan(SLACK)
})

it('releasing a host of 16,000 takes little more time than one of 500', async () => {
  const release = (borrowed: JobUrls, id: number) =>
    expect(borrowed.removeWaiting(id)).toEqual([{ id, depth: 1 }])
  expect(await growth((urls) => pass(urls, release), 500)).toBeLessThan(SLACK)
})
