import { expect, it } from 'vitest'
import { openTemporaryDatabase } from '../../src/database/sqlite.ts'
import { packLinks } from '../../src/messages/pack-links.ts'
import { StoredVisits } from '../../src/output/stored-visits.ts'
import { recordOf } from '../support/record-of.ts'

it('keeps the links of a page only once, however often the page is visited', () => {
  const database = openTemporaryDatabase()
  const visits = new StoredVisits(database)
  visits.keepAll()
  const url = 'http://a.test/'
  const linksOf = (visit: number) =>
    Array.from({ length: 100 }, (_, link) => `${url}${visit * link * 7_919}`)
  for (let visit = 1; visit <= 50; visit++) {
    visits.write([{ record: recordOf({ url, status: 200 }), outlinks: packLinks(linksOf(visit)) }])
    visits.write([{ record: recordOf({ url, status: 304 }) }])
  }
  const stored = database.prepare('SELECT count(outlinks) AS lists FROM stored_visits').get()
  expect(stored?.['lists']).toBe(1)
  expect([...visits.current()].map(({ outlinks }) => outlinks)).toEqual([linksOf(50)])
  expect([...visits.all()]).toHaveLength(100)
  database.close()
})

it('keeps only the last content of each URL unless all visits are needed', () => {
  const database = openTemporaryDatabase()
  const visits = new StoredVisits(database)
  const [one, other] = ['http://a.test/1', 'http://a.test/2']
  for (const status of [200, 304, 301, 304])
    visits.write([{ record: recordOf({ url: one, status }) }])
  visits.write([{ record: recordOf({ url: other, status: 304 }) }])
  expect([...visits.all()].map(({ url, status }) => [url, status])).toEqual([
    [one, 301],
    [other, 304],
  ])
  expect([...visits.current()].map(({ visit }) => visit.status)).toEqual([301])
  expect(visits.has(other)).toBe(true)
  database.close()
})

it('yields all visits to several outputs that read at the same time', () => {
  const database = openTemporaryDatabase()
  const visits = new StoredVisits(database)
  for (const name of ['1', '2', '3'])
    visits.write([{ record: recordOf({ url: `http://a.test/${name}`, status: 200 }) }])
  for (const read of [() => visits.current(), () => visits.all()]) {
    let count = 0
    for (const _ of read()) count += 1 + [...read()].length
    expect(count).toBe(12)
  }
  database.close()
})
