import { describe, expect, it } from 'vitest'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { packLinks } from '../../src/messages/pack-links.ts'
import { alter } from '../support/state-run.ts'
import { begin, failAll, NO_ANSWER, OUTAGE_OPTIONS } from './contract/outages.ts'
import { found, gist, idOf } from './open-frontier.ts'
import { openFrontier as openKept, useState } from './open-stored-frontier.ts'

const path = useState()
const openFrontier = (options: Partial<FrontierOptions> = {}) => openKept(path(), options)

/** Times are stored in milliseconds. */
const later = () => performance.now() + 1_000

describe('a resumed frontier', () => {
  it('contains what was committed, and nothing else', () => {
    const first = openFrontier()
    first.frontier.addSeed('http://a.test/', 0)
    const [seed] = first.frontier.take(1, 0)
    first.frontier.visited(
      idOf(seed ? [seed] : [], 'http://a.test/'),
      found(['http://a.test/1']),
      0,
    )
    first.commit()
    first.frontier.addSeed('http://a.test/lost', 0)
    first.die()
    const { frontier } = openFrontier()
    expect([frontier.unfinished, frontier.waiting, frontier.hosts.count]).toEqual([1, 1, 1])
    frontier.addSeed('http://a.test/', 0)
    expect(gist(frontier.take(9, later()))).toEqual(['visit http://a.test/1'])
  })

  it('hands out URLs in flight again, and requests all their links', () => {
    const first = openFrontier()
    first.frontier.addSeed('http://a.test/', 0)
    first.frontier.take(1, 0)
    first.commit()
    first.die()
    const actions = openFrontier().frontier.take(9, later())
    expect(actions).toMatchObject([{ crawlUrl: { attempt: 2, failures: 0, keepLinks: true } }])
  })

  it("doesn't count a lost attempt as a failed one", () => {
    const first = openFrontier()
    first.frontier.addSeed('http://a.test/', 0)
    first.frontier.retry(idOf(first.frontier.take(1, 0), 'http://a.test/'), 0, 0)
    first.frontier.take(1, 0)
    first.commit()
    first.die()
    expect(openFrontier().frontier.take(9, later())).toMatchObject([
      { crawlUrl: { attempt: 3, failures: 1 } },
    ])
  })

  it('keeps the pause that a host asked for', () => {
    const now = performance.now()
    const first = openFrontier()
    first.frontier.addSeed('http://a.test/', now)
    first.frontier.addSeed('http://a.test/2', now)
    const id = idOf(first.frontier.take(1, now), 'http://a.test/')
    first.frontier.report(id, { health: 'failed', ms: 1, retryAfter: 60_000 }, now)
    first.frontier.retry(id, 60_000, now)
    first.commit()
    first.die()
    const { frontier } = openFrontier()
    expect(frontier.take(9, now + 59_000)).toEqual([])
    expect(frontier.wakeAt).toBeGreaterThan(now + 59_000)
    expect(gist(frontier.take(9, now + 61_000))).toHaveLength(2)
  })

  it("doesn't request a stored robots.txt again", () => {
    const now = performance.now()
    const options = { ignoreRobots: false }
    const first = openFrontier(options)
    first.frontier.addSeed('http://a.test/x', now)
    first.frontier.take(1, now)
    first.frontier.setRobots('http://a.test', { access: 'allow-all' }, now)
    first.commit()
    first.die()
    expect(gist(openFrontier(options).frontier.take(9, later()))).toEqual(['visit http://a.test/x'])
  })

  it('continues the count of pages of a host', () => {
    const options = { maxPerHost: 2 }
    const first = openFrontier(options)
    for (const page of [1, 2, 3]) first.frontier.addSeed(`http://a.test/${page}`, 0)
    expect(first.frontier.take(1, 0)).toHaveLength(1)
    first.commit()
    first.die()
    const actions = gist(openFrontier(options).frontier.take(9, later()))
    expect(actions).toEqual([
      'visit http://a.test/1',
      'visit http://a.test/2',
      'skip http://a.test/3',
    ])
  })

  it('continues the count of pages of a domain, even if that was not limited before', () => {
    const first = openFrontier()
    for (const host of [1, 2]) first.frontier.addSeed(`http://${host}.wild.test/`, 0)
    const actions = first.frontier.take(9, 0)
    for (const host of [1, 2])
      first.frontier.visited(idOf(actions, `http://${host}.wild.test/`), found(), 0)
    first.frontier.addSeed('http://3.wild.test/', 0)
    first.frontier.addSeed('http://4.wild.test/', 0)
    first.commit()
    first.die()
    const { frontier } = openFrontier({ maxPerDomain: 3 })
    expect(gist(frontier.take(9, later()))).toEqual([
      'visit http://3.wild.test/',
      'skip http://4.wild.test/',
    ])
  })

  it('finds the links of a page again when a shorter path to it is found', () => {
    const first = openFrontier({ depth: 2 })
    first.frontier.addSeed('http://slow.test/', 0)
    first.frontier.addSeed('http://a.test/', 0)
    const seeds = first.frontier.take(9, 0)
    first.frontier.visited(idOf(seeds, 'http://a.test/'), found(['http://a.test/1']), 0)
    const one = first.frontier.take(9, 0)
    first.frontier.visited(idOf(one, 'http://a.test/1'), found(['http://a.test/2']), 0)
    const two = first.frontier.take(9, 0)
    const packedLinks = packLinks(['http://a.test/3'])
    first.frontier.visited(idOf(two, 'http://a.test/2'), found([], { packedLinks }), 0)
    first.commit()
    first.die()
    const { frontier } = openFrontier({ depth: 2 })
    const slow = idOf(frontier.take(9, later()), 'http://slow.test/')
    frontier.visited(slow, found([], { nearer: ['http://a.test/2'] }), 0)
    expect(frontier.take(9, later())).toMatchObject([
      { crawlUrl: { url: 'http://a.test/3', depth: 2, via: 'http://a.test/2' } },
    ])
  })
})

describe('an outage that outlasts a process', () => {
  it('is waited for anew, and probed with a URL that the host had responded to', () => {
    const first = openFrontier(OUTAGE_OPTIONS)
    begin(first.frontier, 20)
    failAll(first.frontier, 0)
    first.frontier.take(9, 0)
    for (const id of first.frontier.outages.probed('a.test', NO_ANSWER, 0).putBack) {
      first.frontier.outages.putBack(id, 0)
    }
    first.commit()
    first.die()
    alter(path(), 'UPDATE hosts SET not_before = 0, due = 0')
    const { frontier } = openFrontier(OUTAGE_OPTIONS)
    const now = performance.now()
    expect(failAll(frontier, now).map(({ outcome }) => outcome)).toEqual(Array(6).fill('hold'))
    expect(gist(frontier.take(9, now))).toEqual(['probe a.test'])
    const { changes } = frontier.outages.probed('a.test', NO_ANSWER, now)
    expect(changes).toMatchObject([{ type: 'away' }])
  })
})
