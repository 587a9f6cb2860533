import { expect, it } from 'vitest'
import { SeenUrlMarks } from '../../../src/frontier/sqlite/seen-url-marks.ts'
import { URL_STATE } from '../../../src/frontier/storage/stored-url.ts'
import { StateDirectory } from '../../../src/state/state-directory.ts'
import { ledger } from '../../support/ledger.ts'
import { alter } from '../../support/state-run.ts'
import { found, gist, idOf } from '../open-frontier.ts'
import { openFrontier, useState } from '../open-stored-frontier.ts'

const path = useState()
const url = 'http://a.test/'
const limit = { maxPerHost: 1 }

/** Times are stored to the millisecond. */
const later = () => performance.now() + 1_000

/** Stores a crawl that has visited one URL. */
function visitOne(): void {
  const { frontier, commit, die } = openFrontier(path(), limit)
  frontier.addSeed(url, 0)
  frontier.visited(idOf(frontier.take(1, 0), url), found(), 0)
  commit()
  die()
}

function mark(change: (marks: SeenUrlMarks) => boolean): void {
  const directory = StateDirectory.open(path())
  expect(change(new SeenUrlMarks(directory))).toBe(true)
  directory.commit(ledger)
  directory.close()
}

/** Makes the URL wait to be read again for its links. */
function reread(): void {
  alter(path(), `UPDATE urls SET state = ${URL_STATE.ready}; INSERT INTO rereads VALUES (1)`)
}

it('a forgotten URL no longer counts towards the limit of its host', () => {
  visitOne()
  mark((marks) => marks.forget(url))
  const { frontier } = openFrontier(path(), limit)
  frontier.addSeed(url, later())
  frontier.addSeed(`${url}2`, later())
  expect(gist(frontier.take(2, later()))).toEqual([`visit ${url}`, `skip ${url}2`])
})

it('a forgotten URL that was never requested leaves the count of its host as it is', () => {
  visitOne()
  mark((marks) => marks.mark(`${url}2`) && marks.forget(`${url}2`))
  const { frontier } = openFrontier(path(), limit)
  frontier.addSeed(`${url}2`, later())
  expect(gist(frontier.take(2, later()))).toEqual([`skip ${url}2`])
})

it('a forgotten URL gets a record when it is found again, even if it was to be read again', () => {
  visitOne()
  reread()
  mark((marks) => marks.forget(url))
  const { frontier } = openFrontier(path())
  expect(frontier.stored.rereadCount).toBe(0)
  frontier.addSeed(url, later())
  const [action] = frontier.take(1, later())
  expect(action).toMatchObject({ type: 'visit', crawlUrl: { url } })
  expect(action).not.toHaveProperty('crawlUrl.isReread', true)
})

it('a marked URL is not counted as one to be read again', () => {
  visitOne()
  reread()
  mark((marks) => !marks.mark(url))
  const { frontier } = openFrontier(path())
  expect(frontier.stored.rereadCount).toBe(0)
  expect(frontier.take(2, later())).toEqual([])
})
