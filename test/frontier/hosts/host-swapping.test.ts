import { describe, expect, it } from 'vitest'
import type { SqliteFrontier } from '../../../src/frontier/sqlite/sqlite-frontier.ts'
import { ANSWER, begin, failAll, NO_ANSWER, OUTAGE_OPTIONS } from '../contract/outages.ts'
import { found, gist, idOf, openFrontier } from '../open-frontier.ts'
import { openFrontier as openKept, useState } from '../open-stored-frontier.ts'

const PLACES = 20
const HOSTS = 100
const DELAY = 1_000
const few = { hostsInMemory: PLACES }

interface Requested {
  readonly host: string
  readonly depth: number
  readonly at: number
}

const urlsOf = (page: number) =>
  Array.from({ length: HOSTS }, (_, host) => `http://h${host}.test/${page}`)

/** Visits all URLs, or `max` of them, with a simulated clock. Each page leads to another, up to `pages`. */
function visitAll(
  frontier: SqliteFrontier,
  pages: number,
  max = Number.POSITIVE_INFINITY,
  start = 0,
): Requested[] {
  const requested: Requested[] = []
  for (let now = start; frontier.unfinished > 0 && requested.length < max; ) {
    const actions = frontier.take(8, now)
    for (const action of actions) {
      if (action.type !== 'visit') throw new Error(action.type)
      const { id, url, depth } = action.crawlUrl
      const host = new URL(url).hostname
      requested.push({ host, depth, at: now })
      frontier.visited(id, found(depth < pages ? [`http://${host}/at-${depth + 1}`] : []), now)
    }
    expect(frontier.hosts.inMemory).toBeLessThanOrEqual(PLACES + 8)
    now = actions.length > 0 ? now + 1 : Math.max(now, frontier.wakeAt ?? Number.NaN)
  }
  return requested
}

function byHost(requested: readonly Requested[]): Requested[][] {
  return [...Map.groupBy(requested, ({ host }) => host).values()]
}

describe('more hosts than fit in memory', () => {
  it('are all visited, level by level, and never too early', () => {
    const frontier = openFrontier({ ...few, delay: DELAY })
    for (const page of [0, 1, 2]) for (const url of urlsOf(page)) frontier.addSeed(url, 0)
    const hosts = byHost(visitAll(frontier, 3))
    expect(hosts).toHaveLength(HOSTS)
    for (const visits of hosts) {
      expect(visits.map(({ depth }) => depth)).toEqual([0, 0, 0, 1, 2, 3])
      const pauses = visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(DELAY)
    }
  })

  it('take turns, so that none gets far ahead of another', () => {
    const frontier = openFrontier(few)
    for (let page = 0; page < 40; page++) for (const url of urlsOf(page)) frontier.addSeed(url, 0)
    const hosts = byHost(visitAll(frontier, 0, HOSTS * 20))
    expect(hosts).toHaveLength(HOSTS)
    const counts = hosts.map(({ length }) => length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(16)
  })

  it('that are unreachable are waited for, and given up together at the end', () => {
    const frontier = openFrontier({ ...few, ignoreRobots: false })
    for (const url of urlsOf(0)) frontier.addSeed(url, 0)
    let asks = 0
    let givenUp = 0
    for (let now = 0; frontier.unfinished > 0; ) {
      const actions = frontier.take(8, now)
      for (const action of actions) {
        if (action.type === 'fail') givenUp++
        if (action.type !== 'robots') continue
        asks++
        const failure = { access: 'disallow-all', reason: 'refused', isTransient: true } as const
        frontier.setRobots(action.origin, failure, now)
      }
      expect(frontier.hosts.inMemory).toBeLessThanOrEqual(PLACES + 256)
      now = actions.length > 0 ? now + 1 : Math.max(now, frontier.wakeAt ?? now)
    }
    expect([asks, givenUp]).toEqual([3 * HOSTS, HOSTS])
  })

  it('have their turn even if they get a URL that need not wait while others wait for robots.txt', () => {
    const frontier = openFrontier({ hostsInMemory: 1, ignoreRobots: false })
    const dead = { access: 'disallow-all', reason: 'refused', isTransient: true } as const
    const take = (now: number) => {
      const actions = frontier.take(9, now)
      for (const each of actions) {
        if (each.type !== 'robots') continue
        const isDead = each.origin.startsWith('https')
        frontier.setRobots(each.origin, isDead ? dead : { access: 'allow-all' }, now)
      }
      return gist(actions)
    }
    frontier.addSeed('http://a.test/', 0)
    expect(take(0)).toEqual(['robots http://a.test/robots.txt'])
    const [visit] = frontier.take(9, 0)
    if (visit?.type !== 'visit') expect.fail('nothing was handed out')
    frontier.visited(visit.crawlUrl.id, found(['https://a.test/']), 0)
    expect(take(0)).toEqual(['robots https://a.test/robots.txt'])
    frontier.addSeed('http://a.test/late', 0)
    frontier.addSeed('http://b.test/', 0)
    expect([0, 500, 1_500].flatMap(take)).toContain('visit http://a.test/late')
  })

  it('wait for the end of a request while those in memory wait for a connection', () => {
    const frontier = openFrontier({ hostsInMemory: 2, workers: 1, concurrency: 1 })
    for (const host of ['a', 'b', 'c']) frontier.addSeed(`http://${host}.test/`, 0)
    const first = frontier.take(9, 0)
    expect(gist(first)).toEqual(['visit http://a.test/'])
    expect(frontier.wakeAt).toBeUndefined()
    frontier.visited(idOf(first, 'http://a.test/'), found(), 9)
    expect(gist(frontier.take(9, 9))).toEqual(['visit http://b.test/'])
  })

  it('keep their failures while they are not in memory', () => {
    const frontier = openFrontier({ ...few, maxHostErrors: 2 })
    const urls = [0, 1, 2].flatMap(urlsOf)
    for (const url of urls) frontier.addSeed(url, 0)
    const actions: string[] = []
    for (let now = 0; frontier.unfinished > 0; now++) {
      for (const action of frontier.take(1, now)) {
        actions.push(...gist([action]).map((each) => each.split(' ')[0] ?? ''))
        if (action.type !== 'visit') continue
        frontier.report(action.crawlUrl.id, { health: 'failed' }, now)
        frontier.failed(action.crawlUrl.id, now)
      }
    }
    const count = (type: string) => actions.filter((each) => each === type).length
    expect([count('visit'), count('skip')]).toEqual([2 * HOSTS, HOSTS])
  })
})

describe('more hosts than fit in memory, with a state,', () => {
  const path = useState()

  it('continue after a restart', () => {
    const first = openKept(path(), { ...few, delay: DELAY })
    for (const page of [0, 1]) for (const url of urlsOf(page)) first.frontier.addSeed(url, 0)
    const before = visitAll(first.frontier, 1, 150)
    first.commit()
    visitAll(first.frontier, 1, 20, before.at(-1)?.at)
    first.die()
    const { frontier } = openKept(path(), { ...few, delay: DELAY })
    const after = visitAll(frontier, 1, undefined, before.at(-1)?.at)
    expect(before.length + after.length).toBe(3 * HOSTS)
    for (const visits of byHost([...before, ...after])) expect(visits).toHaveLength(3)
  })
})

it('gives up a URL that fails each time its host goes away, even if the host leaves memory meanwhile', () => {
  const options = { ...OUTAGE_OPTIONS, hostsInMemory: 1, retries: 0, delay: 10 }
  const frontier = openFrontier(options)
  begin(frontier, 1)
  const outcomes: string[] = []
  for (let now = 1_000; now < 9_000; now += 1_000) {
    const [failed] = failAll(frontier, now)
    if (failed === undefined) break
    expect(gist(frontier.take(9, now + 100))).toEqual(['probe a.test'])
    const { putBack } = frontier.outages.probed('a.test', NO_ANSWER, now + 100)
    for (const id of putBack) frontier.outages.putBack(id, now + 100)
    outcomes.push(putBack.length > 0 ? 'put back' : 'failed')
    if (putBack.length === 0) break
    // Another host takes its place.
    frontier.addSeed(`http://b.test/${now}`, now + 200)
    const other = idOf(frontier.take(9, now + 200), `http://b.test/${now}`)
    expect(frontier.hosts.inMemory).toBe(1)
    frontier.visited(other, found(), now + 200)
    expect(gist(frontier.take(9, now + 800))).toEqual(['probe a.test'])
    frontier.outages.probed('a.test', ANSWER, now + 810)
  }
  expect(outcomes).toEqual(['put back', 'put back', 'put back', 'failed'])
})
