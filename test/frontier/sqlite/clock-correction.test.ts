import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FrontierOptions } from '../../../src/frontier/frontier.ts'
import { alter, ask } from '../../support/state-run.ts'
import { found, gist, idOf } from '../open-frontier.ts'
import { openFrontier as openKept, useState } from '../open-stored-frontier.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const A = 'http://a.test'

const path = useState()
const open = (options: Partial<FrontierOptions> = {}) =>
  openKept(path(), { maxRetryAfter: 2 * MINUTE, ...options })

/** Shifts stored times, as if the clock had been set back between two runs. */
function setClockBack(ms: number): void {
  alter(
    path(),
    `UPDATE hosts SET not_before = not_before + ${ms}, due = CASE WHEN due > 0 THEN due + ${ms} ELSE due END;
     UPDATE robots SET until = until + ${ms}`,
  )
}

describe('a crawl that is resumed after the clock was set back by a day', () => {
  it('waits no longer for a host than its longest possible pause', () => {
    const now = performance.now()
    const first = open()
    first.frontier.addSeed(`${A}/`, now)
    const id = idOf(first.frontier.take(1, now), `${A}/`)
    first.frontier.report(id, { health: 'failed', ms: 1, retryAfter: MINUTE }, now)
    first.frontier.retry(id, MINUTE, now)
    first.commit()
    first.die()
    setClockBack(DAY)
    const { frontier } = open()
    expect(frontier.take(9, now + MINUTE)).toEqual([])
    expect(gist(frontier.take(9, now + 6 * MINUTE))).toEqual([`visit ${A}/`])
  })

  it('requests robots.txt again after minutes if it was unreachable, else after a day', () => {
    const now = performance.now()
    const first = open({ ignoreRobots: false })
    for (const host of ['a', 'b']) first.frontier.addSeed(`http://${host}.test/`, now)
    first.frontier.take(9, now)
    const failure = { access: 'disallow-all', reason: 'refused', isTransient: true } as const
    first.frontier.setRobots(A, { ...failure, retryAfter: MINUTE }, now)
    first.frontier.setRobots('http://b.test', { access: 'allow-all' }, now)
    first.commit()
    first.die()
    setClockBack(7 * DAY)
    const { frontier } = open({ ignoreRobots: false })
    expect(gist(frontier.take(9, now + 20 * MINUTE))).toEqual([
      `robots ${A}/robots.txt`,
      'visit http://b.test/',
    ])
    frontier.addSeed('http://b.test/2', now)
    expect(gist(frontier.take(9, now + DAY + MINUTE))).toEqual(['robots http://b.test/robots.txt'])
  })
})

describe('a crawl that is resumed', () => {
  it('waits for a host as long as its own delay says, however long that is', () => {
    const now = performance.now()
    const options = { hostDelay: { 'a.test': DAY } }
    const first = open(options)
    for (const page of [1, 2]) first.frontier.addSeed(`${A}/${page}`, now)
    first.frontier.visited(idOf(first.frontier.take(9, now), `${A}/1`), found(), now)
    first.commit()
    first.die()
    const { frontier } = open(options)
    expect(frontier.take(9, now + DAY - SECOND)).toEqual([])
    expect(gist(frontier.take(9, now + DAY + SECOND))).toEqual([`visit ${A}/2`])
  })
})

describe('times stored while a process is running', () => {
  let shift = 0
  beforeEach(() => {
    shift = 0
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + shift)
  })
  afterEach(() => void vi.restoreAllMocks())

  const kept = () => Number(ask(path(), 'SELECT not_before FROM hosts')[0]?.['not_before'])

  it.each([
    ['the machine was suspended, or the clock set forward', DAY],
    ['the clock was set back', -DAY],
  ])('are those of the wall clock, even after %s', (_, by) => {
    const now = performance.now()
    const { frontier, commit, die } = open({ hostsInMemory: 1 })
    frontier.addSeed(`${A}/`, now)
    const id = idOf(frontier.take(1, now), `${A}/`)
    frontier.report(id, { health: 'failed', ms: 1, retryAfter: MINUTE }, now)
    frontier.retry(id, MINUTE, now)
    commit()
    expect(kept() - Date.now()).toBeGreaterThan(MINUTE - 5 * SECOND)
    shift = by
    commit()
    expect(kept() - Date.now()).toBeGreaterThan(MINUTE - 5 * SECOND)
    expect(kept() - Date.now()).toBeLessThan(MINUTE + 5 * SECOND)
    // Nothing has changed in this process, which uses the monotonic clock.
    expect(frontier.take(9, now + MINUTE - SECOND)).toEqual([])
    expect(gist(frontier.take(9, now + MINUTE))).toEqual([`visit ${A}/`])
    die()
  })

  it('let hosts that were never requested have their turn, even after the clock was set back', () => {
    const now = performance.now()
    const first = open()
    const urls = ['a', 'b', 'c'].map((host) => `http://${host}.test/`)
    for (const url of urls) first.frontier.addSeed(url, now)
    first.commit()
    first.die()
    const { frontier, commit, die } = open({ hostsInMemory: 1 })
    shift = -DAY
    commit()
    const visits = urls.flatMap(() => {
      const actions = frontier.take(1, performance.now())
      for (const each of actions) if (each.type === 'visit') frontier.failed(each.crawlUrl.id, now)
      return gist(actions)
    })
    expect(visits.toSorted()).toEqual(urls.map((url) => `visit ${url}`))
    die()
  })
})
