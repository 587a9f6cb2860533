import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { DroppedVisits } from '../../src/state/dropped-visits.ts'
import { VisitStore } from '../../src/state/visit-store.ts'

/** Opens the tables of a crawl with two visits, of which the second one is of an hour later. */
function openVisits() {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE urls (id INTEGER PRIMARY KEY); INSERT INTO urls VALUES (1), (2)')
  const visits = new VisitStore(database)
  for (const id of [1, 2]) visits.put(id, 0, { status: 200 })
  database.exec('UPDATE visits SET at = CASE url WHEN 1 THEN 0 ELSE 3600000 END')
  return { database, dropped: new DroppedVisits(database), visits }
}

it('a dropped URL is returned once, with whether it was due', () => {
  const { dropped } = openVisits()
  dropped.add(1, true)
  dropped.add(2, false)
  expect([dropped.take(1), dropped.take(1), dropped.take(2)]).toEqual([true, undefined, false])
})

it('dropped URLs become due like others, but are not counted as such', () => {
  const { dropped, visits } = openVisits()
  expect(visits.countDue(1_000)).toBe(1)
  dropped.add(1, false)
  dropped.add(2, false)
  dropped.noteDue(1_000)
  expect(visits.countDue(1_000)).toBe(0)
  expect([dropped.take(1), dropped.take(2)]).toEqual([true, false])
})

it('dropped URLs are stored, until all are forgotten', () => {
  const { database, dropped } = openVisits()
  dropped.add(1, false)
  expect(new DroppedVisits(database).take(1)).toBe(false)
  dropped.add(2, false)
  dropped.clear()
  expect(new DroppedVisits(database).take(2)).toBeUndefined()
})
