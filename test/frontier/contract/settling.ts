import { describe, expect, it } from 'vitest'
import type { Action } from '../../../src/frontier/action.ts'
import type { Frontier } from '../../../src/frontier/frontier.ts'
import type { Findings, SameDepthUrls } from '../../../src/messages/outcome.ts'
import { found, gist, idOf, type OpenFrontier, visits } from '../open-frontier.ts'

const A = 'http://a.test'

/** Tests that URLs are counted and settled once each, in the requested order. */
export function settlingContract(openFrontier: OpenFrontier): void {
  describe('URLs', () => {
    it('are unfinished until they are settled, and waiting until they are handed out', () => {
      const frontier = openFrontier()
      const counts = () => [frontier.unfinished, frontier.waiting]
      expect([...counts(), frontier.wakeAt]).toEqual([0, 0, undefined])
      frontier.addSeed(`${A}/1`, 0)
      frontier.addSeed(`${A}/2`, 0)
      expect(counts()).toEqual([2, 2])
      const actions = frontier.take(9, 0)
      expect(counts()).toEqual([2, 0])
      frontier.visited(idOf(actions, `${A}/1`), found([`${A}/3`]), 0)
      expect(counts()).toEqual([2, 1])
      frontier.failed(idOf(actions, `${A}/2`), 0)
      frontier.failed(idOf(frontier.take(9, 0), `${A}/3`), 0)
      expect([...counts(), frontier.isStuck]).toEqual([0, 0, false])
    })

    it('are handed out once, however often they are found', () => {
      const frontier = openFrontier()
      frontier.addSeed(`${A}/`, 0)
      frontier.addSeed(`${A}/`, 0)
      const id = idOf(frontier.take(9, 0), `${A}/`)
      frontier.visited(id, found([`${A}/1`, `${A}/1`, `${A}/`]), 0)
      const actions = frontier.take(9, 0)
      expect(gist(actions)).toEqual([`visit ${A}/1`])
      frontier.visited(idOf(actions, `${A}/1`), found([`${A}/`, `${A}/1`]), 0)
      expect([frontier.take(9, 0), frontier.unfinished]).toEqual([[], 0])
    })

    it('are settled once, and later outcomes are ignored', () => {
      const frontier = openFrontier()
      frontier.addSeed(`${A}/`, 0)
      const id = idOf(frontier.take(9, 0), `${A}/`)
      frontier.failed(id, 0)
      frontier.visited(id, found([`${A}/1`]), 0)
      frontier.retry(id, 0, 0)
      expect(frontier.report(id, { health: 'failed' }, 0)).toBeUndefined()
      expect([frontier.take(9, 0), frontier.unfinished]).toEqual([[], 0])
    })

    it('have the page that links to them, and how they were found', () => {
      const frontier = openFrontier()
      frontier.addSeed(`${A}/`, 0)
      frontier.addSitemaps([`${A}/sitemap.xml`], 0)
      const seeds = frontier.take(9, 0)
      expect(seeds).toMatchObject([
        { crawlUrl: { url: `${A}/`, hop: 'seed', depth: 0, attempt: 1, failures: 0 } },
        { crawlUrl: { url: `${A}/sitemap.xml`, hop: 'sitemap', depth: 0 } },
      ])
      const sameDepth = [{ hop: 'asset', urls: [`${A}/style.css`] }] as const
      frontier.visited(idOf(seeds, `${A}/`), found([`${A}/1`], { sameDepth }), 0)
      frontier.failed(idOf(seeds, `${A}/sitemap.xml`), 0)
      const next = frontier.take(9, 0)
      const via = `${A}/`
      expect(next).toMatchObject([{ crawlUrl: { hop: 'asset', depth: 0, sameDepthHops: 1, via } }])
      frontier.visited(idOf(next, `${A}/style.css`), found(), 0)
      expect(frontier.take(9, 0)).toMatchObject([{ crawlUrl: { hop: 'link', depth: 1, via } }])
    })

    it('linked to by a page in flight are kept, even if the page fails', () => {
      const frontier = openFrontier()
      frontier.addSeed(`${A}/`, 0)
      const id = idOf(frontier.take(9, 0), `${A}/`)
      frontier.addLinks(id, found([`${A}/1`]), 0)
      expect(frontier.take(9, 0)).toEqual([])
      frontier.failed(id, 0)
      expect(visits(frontier.take(9, 0))).toEqual({ [`${A}/1`]: 1 })
    })

    it('left at the end are listed, with the page that links to them', () => {
      const frontier = openFrontier()
      frontier.addSeed(`${A}/`, 0)
      frontier.visited(idOf(frontier.take(9, 0), `${A}/`), found([`${A}/1`, `${A}/2`]), 0)
      frontier.take(1, 0)
      const urls = [`${A}/1`, `${A}/2`].map((url) => ({ url, depth: 1, via: `${A}/` }))
      expect([...frontier.stored.leftOvers()]).toEqual(urls)
    })
  })

  describe('a URL with an early response that is settled later', () => {
    it('frees its host at once, and stays unfinished', () => {
      const frontier = openFrontier({ perHost: 1 })
      frontier.addSeed(`${A}/1`, 0)
      frontier.addSeed(`${A}/2`, 0)
      const id = idOf(frontier.take(9, 0), `${A}/1`)
      expect(frontier.take(9, 0)).toEqual([])
      frontier.completion.answeredEarly(id, { health: 'well' }, 0)
      expect(gist(frontier.take(9, 0))).toEqual([`visit ${A}/2`])
      expect(frontier.unfinished).toBe(2)
      frontier.visited(id, found(), 0)
      expect(frontier.unfinished).toBe(1)
    })

    it('is dropped if its host is given up meanwhile; a seed is never dropped as a trap', () => {
      const frontier = openFrontier({ maxHostErrors: 1 })
      frontier.addSeed(`${A}/1`, 0)
      frontier.addSeed(`${A}/2`, 0)
      const actions = frontier.take(9, 0)
      const [first, second] = [idOf(actions, `${A}/1`), idOf(actions, `${A}/2`)]
      expect(frontier.completion.isLost(first)).toBe(false)
      expect(frontier.completion.dropIfTrap(first, 0)).toBe(false)
      expect(frontier.completion.dropIfHostFailed(first, 0)).toBe(false)
      frontier.report(second, { health: 'failed' }, 0)
      frontier.failed(second, 0)
      expect(frontier.completion.dropIfHostFailed(first, 0)).toBe(true)
      expect(frontier.unfinished).toBe(0)
    })
  })

  describe('the settle order', () => {
    it('exists only with --deterministic', () => {
      expect(openFrontier().settleOrder).toBeUndefined()
      expect(openFrontier({ deterministic: true }).settleOrder?.next).toBeUndefined()
    })

    it('admits seeds one by one, then the URLs of a level over all hosts in order of discovery', () => {
      const frontier = openFrontier({ deterministic: true, perHost: 2 })
      const order = frontier.settleOrder ?? expect.fail('no settle order')
      const hosts = ['http://a.test', 'http://b.test']
      for (const host of hosts) frontier.addSeed(`${host}/`, 0)
      for (const host of hosts) {
        frontier.admit(9, 0)
        const actions = frontier.take(9, 0)
        expect([gist(actions), order.isAlone]).toEqual([[`visit ${host}/`], true])
        const id = idOf(actions, `${host}/`)
        expect(order.next).toBe(id)
        frontier.visited(id, found([`${host}/1`, `${host}/2`]), 0)
        order.pass()
      }
      frontier.admit(3, 0)
      const level = frontier.take(9, 0)
      expect(gist(level).sort()).toEqual(
        ['a.test/1', 'a.test/2', 'b.test/1'].map((url) => `visit http://${url}`),
      )
      expect([order.next, order.isAlone]).toEqual([idOf(level, `${A}/1`), false])
      order.pass()
      expect(order.next).toBe(idOf(level, `${A}/2`))
    })

    it('admits the target of a seed alone, but those of its assets and sitemaps together', () => {
      const frontier = openFrontier({ deterministic: true })
      const order = frontier.settleOrder ?? expect.fail('no settle order')
      const next = (sameDepth: SameDepthUrls) => {
        frontier.admit(9, 0)
        const [action] = frontier.take(1, 0)
        if (action?.type !== 'visit') expect.fail('nothing was handed out')
        frontier.visited(action.crawlUrl.id, found([], { sameDepth: [sameDepth] }), 0)
        order.pass()
      }
      frontier.addSeed(`${A}/`, 0)
      next({ hop: 'redirect', urls: [`${A}/home`] })
      frontier.admit(9, 0)
      expect(order.isAlone).toBe(true)
      next({ hop: 'asset', urls: [`${A}/1`, `${A}/2`] })
      next({ hop: 'redirect', urls: [`${A}/1.png`] })
      next({ hop: 'redirect', urls: [`${A}/2.png`] })
      frontier.admit(9, 0)
      expect(order.isAlone).toBe(false)
      expect(gist(frontier.take(9, 0))).toEqual([`visit ${A}/1.png`, `visit ${A}/2.png`])
    })

    it('hands out a URL that is retried before URLs that are not admitted yet', () => {
      const frontier = openFrontier({ deterministic: true })
      const { pages, settle, take } = singleFile(frontier)
      frontier.addSeed(`${A}/`, 0)
      settle(take(0), found(pages(6)))
      const [first] = take(0)
      if (first?.type !== 'visit') expect.fail('nothing was handed out')
      frontier.retry(first.crawlUrl.id, 100, 0)
      expect(gist(take(100))).toEqual([`visit ${A}/0`])
    })

    it('hands out a URL that moved to the current level before URLs that were found later', () => {
      const frontier = openFrontier({ deterministic: true })
      const { pages, settle, take } = singleFile(frontier)
      frontier.addSeed(`${A}/`, 0)
      settle(take(0), found(pages(40)))
      settle(take(0), found([`${A}/deep`]))
      const leadTo = (url: string) => found([], { sameDepth: [{ hop: 'redirect', urls: [url] }] })
      for (let page = 1; page < 39; page++) settle(take(0), leadTo(`${A}/target/${page}`))
      settle(take(0), leadTo(`${A}/deep`))
      expect(gist(take(0))).toEqual([`visit ${A}/deep`])
    })
  })

  describe('the hosts of a frontier', () => {
    it('are counted, and listed by activity', () => {
      const frontier = openFrontier({ delay: 100 })
      for (const page of [1, 2]) frontier.addSeed(`${A}/${page}`, 0)
      frontier.addSeed('http://b.test/', 0)
      const actions = frontier.take(9, 0)
      expect([frontier.hosts.count, frontier.hosts.away]).toEqual([2, 0])
      const { busiest } = frontier.hosts.busy(1, 0)
      expect(busiest).toEqual([{ host: 'a.test', pages: 1, queued: 1, inFlight: 1 }])
      frontier.visited(idOf(actions, `${A}/1`), found(), 50)
      expect(frontier.hosts.sleepers).toEqual({
        count: 1,
        known: [{ host: 'a.test', until: 150, isAway: false }],
      })
    })
  })
}

/** Returns operations that hand out and settle one URL after another in the settle order. */
function singleFile(frontier: Frontier) {
  return {
    pages: (count: number) => Array.from({ length: count }, (_, page) => `${A}/${page}`),
    take(now: number): Action[] {
      frontier.admit(1, now)
      return frontier.take(9, now)
    },
    settle([action]: readonly Action[], findings: Findings): void {
      if (action?.type !== 'visit') expect.fail('nothing was handed out')
      frontier.visited(action.crawlUrl.id, findings, 0)
      frontier.settleOrder?.pass()
    },
  }
}
