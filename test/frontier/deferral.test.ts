import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/frontier/action.ts'
import type { SqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import { packLinks } from '../../src/messages/pack-links.ts'
import { found, gist, openFrontier } from './open-frontier.ts'

const url = (path: string) => `http://a.test${path}`
const DULL = { hasNewContent: false, linkCount: 1 }

/** Visits pages of /t/, each of which links to one more and shows nothing new. Returns other actions. */
function visitDull(frontier: SqliteFrontier, visits: number): Action[] {
  const others: Action[] = []
  for (let i = 0; i < visits; i++) {
    for (const action of frontier.take(1, 0)) {
      const discovered = [url(`/t/${frontier.stored.lastUrl + 1_000}`)]
      if (action.type !== 'visit') others.push(action)
      else frontier.visited(action.crawlUrl.id, found(discovered, { trapSignals: DULL }), 0)
    }
  }
  return others
}

/** Opens a frontier that suspects /t/, with many more of its pages at depth 1; b.test/ is in flight. */
function suspicious(depth: number) {
  const frontier = openFrontier({ depth, perHost: 1_000 })
  frontier.addSeed(url('/t/0'), 0)
  frontier.addSeed('http://b.test/', 0)
  const [first, other] = frontier.take(2, 0)
  if (first?.type !== 'visit' || other?.type !== 'visit') throw new Error('no seeds')
  const many = Array.from({ length: 450 }, (_, i) => url(`/t/${i + 1}`))
  frontier.visited(first.crawlUrl.id, found(many, { trapSignals: DULL }), 0)
  visitDull(frontier, 400)
  return { frontier, other: other.crawlUrl.id }
}

function visit(
  actions: readonly Action[],
  more: Parameters<typeof found>,
  frontier: SqliteFrontier,
): void {
  const [action] = actions
  if (action?.type !== 'visit') throw new Error('nothing to visit')
  frontier.visited(action.crawlUrl.id, found(...more), 0)
}

describe('a suspected URL', () => {
  it('waits until its host has nothing else, and is then requested alone', () => {
    const { frontier, other } = suspicious(10)
    frontier.visited(other, found([url('/article')]), 0)
    const article = takeOne(frontier)
    expect(gist(article)).toEqual(['visit http://a.test/article'])
    expect(takeAll(frontier)).toEqual([])
    visit(article, [[url('/further')]], frontier)
    const further = takeOne(frontier)
    expect(gist(further)).toEqual(['visit http://a.test/further'])
    visit(further, [], frontier)
    const all = frontier.unfinished
    expect([...frontier.stored.leftOvers()]).toHaveLength(all)
    expect(gist(takeAll(frontier))).toEqual([expect.stringContaining('visit http://a.test/t/')])
    expect(frontier.unfinished).toBe(all)
  })

  it('no longer waits after similar URLs show something new', () => {
    const { frontier, other } = suspicious(10)
    frontier.visited(other, found(), 0)
    const fresh = { hasNewContent: true, linkCount: 1 }
    for (let i = 0; i < 300 && frontier.unfinished > 1; i++) {
      const all = takeAll(frontier)
      if (i > 0 && all.length > 10) return
      expect(all).toHaveLength(1)
      visit(all, [[], { trapSignals: fresh }], frontier)
    }
    expect.fail('they were visited one by one to the end')
  })

  it('can lead to a shorter path to pages found before', () => {
    const { frontier, other } = suspicious(3)
    frontier.visited(other, found([url('/1')]), 0)
    for (const path of ['/2', '/3']) visit(takeOne(frontier), [[url(path)]], frontier)
    const packedLinks = packLinks([url('/end')])
    visit(takeOne(frontier), [[], { packedLinks }], frontier)
    const deferred = takeOne(frontier)
    expect(gist(deferred)).toEqual([expect.stringContaining('visit http://a.test/t/')])
    // /t/ is at depth 1, so /3 is at 2, not at 3, and the page that it links to at 3, not at 4.
    visit(deferred, [[], { nearer: [url('/3')] }], frontier)
    expect(gist(takeOne(frontier))).toEqual(['visit http://a.test/end'])
  })
})

describe('a trap', () => {
  it('is dropped, except for seeds and URLs that were requested before', () => {
    const { frontier, other } = suspicious(10)
    const [again] = takeOne(frontier)
    if (again?.type !== 'visit') throw new Error('nothing to visit')
    frontier.retry(again.crawlUrl.id, 0, 0)
    frontier.visited(other, found(), 0)
    const skipped = visitDull(frontier, 400).filter(({ type }) => type === 'skip')
    expect(skipped.length).toBeGreaterThan(0)
    expect(frontier.traps[0]?.dropped).toBe(skipped.length)
    frontier.addSeed(url('/t/seed/1'), 0)
    expect(gist(frontier.take(1, 0))).toEqual([`visit ${url('/t/seed/1')}`])
    const [trap, ...others] = frontier.traps
    expect(trap?.pattern).toBe('a.test/t/#')
    expect(others).toEqual([])
  })
})

/** Returns all URLs that are available, without those that are deferred meanwhile. */
function takeAll(frontier: SqliteFrontier): Action[] {
  return Array.from({ length: 1_000 }, () => frontier.take(10, 0)).flat()
}

function takeOne(frontier: SqliteFrontier): Action[] {
  for (let turn = 0; turn < 10_000; turn++) {
    const actions = frontier.take(1, 0)
    if (actions.length > 0) return actions
  }
  throw new Error('nothing to take')
}
