import { describe, expect, it } from 'vitest'
import { packLinks } from '../../../src/messages/pack-links.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, idOf, visits } from '../open-frontier.ts'

/** Tests that URLs are handed out level by level, at the depth of their shortest path. */
export function shortestPathContract(openFrontier: OpenFrontier): void {
  describe('level order', () => {
    /** Visits a page that links to `/1`, while another of the same level is in flight since time 0. */
    function besideSlowPage(options?: Parameters<OpenFrontier>[0]) {
      const frontier = openFrontier(options)
      frontier.addSeed('http://a.test/slow', 0)
      frontier.addSeed('http://a.test/quick', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://a.test/quick'), found(['http://a.test/1']), 0)
      return { frontier, slow: idOf(seeds, 'http://a.test/slow') }
    }

    it('holds deeper pages of a host back while nearer ones are in flight', () => {
      const frontier = openFrontier()
      frontier.addSeed('http://a.test/1', 0)
      frontier.addSeed('http://a.test/2', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://a.test/1'), found(['http://a.test/3']), 0)
      expect(frontier.take(10, 0)).toEqual([])
      frontier.visited(idOf(seeds, 'http://a.test/2'), found([]), 0)
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://a.test/3': 1 })
    })

    it('passes a page that takes long, first with pages one link deeper, later with all', () => {
      const { frontier } = besideSlowPage()
      expect(frontier.take(10, 1_999)).toEqual([])
      expect(frontier.wakeAt).toBe(2_000)
      const next = frontier.take(10, 2_000)
      expect(visits(next)).toEqual({ 'http://a.test/1': 1 })
      frontier.visited(idOf(next, 'http://a.test/1'), found(['http://a.test/2']), 2_100)
      expect(frontier.take(10, 9_999)).toEqual([])
      expect(visits(frontier.take(10, 10_000))).toEqual({ 'http://a.test/2': 2 })
    })

    it('passes a page later if its request may have waited for --rate', () => {
      const { frontier } = besideSlowPage({ rate: 0.5 })
      expect(frontier.take(10, 2_000)).toEqual([])
      expect(frontier.wakeAt).toBe(6_000)
      expect(visits(frontier.take(10, 6_000))).toEqual({ 'http://a.test/1': 1 })
    })

    it('adds the links of a page at the depth limit that has passed a shorter path to it', () => {
      const { frontier, slow } = besideSlowPage({ depth: 2 })
      const first = frontier.take(10, 10_000)
      frontier.visited(idOf(first, 'http://a.test/1'), found(['http://a.test/2']), 10_000)
      const second = frontier.take(10, 10_000)
      const packedLinks = packLinks(['http://a.test/3'])
      frontier.visited(idOf(second, 'http://a.test/2'), found([], { packedLinks }), 10_100)
      expect(frontier.take(10, 60_000)).toEqual([])
      const nearer = found([], { nearer: ['http://a.test/2'] })
      frontier.visited(slow, nearer, 60_000)
      expect(visits(frontier.take(10, 60_000))).toEqual({ 'http://a.test/3': 2 })
    })

    it('continues at once when the last page of a level is answered', () => {
      const frontier = openFrontier()
      frontier.addSeed('http://a.test/1', 0)
      frontier.addSeed('http://a.test/2', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://a.test/1'), found(['http://a.test/3']), 0)
      expect(frontier.take(10, 10)).toEqual([])
      frontier.visited(idOf(seeds, 'http://a.test/2'), found(), 20)
      expect(visits(frontier.take(10, 20))).toEqual({ 'http://a.test/3': 1 })
    })

    it('requests another attempt at a page that takes long before deeper pages', () => {
      const { frontier, slow } = besideSlowPage()
      frontier.retry(slow, 500, 100)
      expect(frontier.take(10, 200)).toEqual([])
      expect(visits(frontier.take(10, 600))).toEqual({ 'http://a.test/slow': 0 })
      expect(frontier.take(10, 2_500)).toEqual([])
      expect(visits(frontier.take(10, 2_600))).toEqual({ 'http://a.test/1': 1 })
    })

    it('corrects the path of a page that passed a slow redirect to it', () => {
      const { frontier, slow } = besideSlowPage({ depth: 1 })
      const next = frontier.take(10, 2_000)
      const [action] = next
      expect(action).toMatchObject({ crawlUrl: { depth: 1, keepLinks: true } })
      const packedLinks = packLinks(['http://a.test/child'])
      frontier.visited(idOf(next, 'http://a.test/1'), found([], { packedLinks }), 2_100)
      const sameDepth = [{ hop: 'redirect', urls: ['http://a.test/1'] }] as const
      frontier.visited(slow, found([], { sameDepth }), 5_000)
      expect(visits(frontier.take(10, 5_000))).toEqual({ 'http://a.test/child': 1 })
    })

    it("doesn't let a slow host delay another", () => {
      const frontier = openFrontier()
      frontier.addSeed('http://slow.test/', 0)
      frontier.addSeed('http://fast.test/', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://fast.test/'), found(['http://fast.test/x']), 0)
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://fast.test/x': 1 })
    })

    it('gives the target of a redirect the depth of the redirect, even if it waits as a link', () => {
      const frontier = openFrontier()
      frontier.addSeed('http://a.test/page', 0)
      frontier.addSeed('http://a.test/moved', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://a.test/page'), found(['http://a.test/target']), 0)
      frontier.visited(
        idOf(seeds, 'http://a.test/moved'),
        found([], { sameDepth: [{ hop: 'redirect', urls: ['http://a.test/target'] }] }),
        0,
      )
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://a.test/target': 0 })
      expect(frontier.unfinished).toBe(1)
    })

    it('adds nothing beyond the depth limit', () => {
      const frontier = openFrontier({ depth: 0 })
      frontier.addSeed('http://a.test/', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://a.test/'), found(['http://a.test/deep']), 0)
      expect(frontier.unfinished).toBe(0)
    })
  })

  describe('a shorter path found later', () => {
    /** Visits `page` of the fast host at depth 2. Then `meetAgain` lets the slow host link to it. */
    function pageMetOnALongPath(depth: number) {
      const frontier = openFrontier({ depth })
      frontier.addSeed('http://slow.test/', 0)
      frontier.addSeed('http://fast.test/', 0)
      const seeds = frontier.take(10, 0)
      frontier.visited(idOf(seeds, 'http://fast.test/'), found(['http://fast.test/1']), 0)
      const first = frontier.take(10, 0)
      frontier.visited(idOf(first, 'http://fast.test/1'), found(['http://fast.test/page']), 0)
      const second = frontier.take(10, 0)
      const meetAgain = () => {
        const slow = idOf(seeds, 'http://slow.test/')
        frontier.visited(slow, found(['http://fast.test/page']), 0)
      }
      return { frontier, second, page: idOf(second, 'http://fast.test/page'), meetAgain }
    }

    const children = packLinks(['http://fast.test/child'])

    it('adds the links of a page that was visited at the depth limit', () => {
      const { frontier, page, meetAgain } = pageMetOnALongPath(2)
      frontier.visited(page, found([], { packedLinks: children }), 0)
      meetAgain()
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://fast.test/child': 2 })
    })

    it('adds them even if it is found while the page is in flight', () => {
      const { frontier, page, meetAgain } = pageMetOnALongPath(2)
      meetAgain()
      frontier.visited(page, found([], { packedLinks: children }), 0)
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://fast.test/child': 2 })
    })

    it('moves waiting links of the page, and hands none out twice', () => {
      const { frontier, page, meetAgain } = pageMetOnALongPath(5)
      frontier.visited(page, found(['http://fast.test/child'], { packedLinks: children }), 0)
      meetAgain()
      const actions = frontier.take(10, 0)
      expect(visits(actions)).toEqual({ 'http://fast.test/child': 2 })
      frontier.visited(idOf(actions, 'http://fast.test/child'), found([]), 0)
      expect(frontier.unfinished).toBe(0)
    })

    it('requests all links only for pages that may still get a shorter path', () => {
      const { second } = pageMetOnALongPath(5)
      expect(second).toMatchObject([{ crawlUrl: { keepLinks: true } }])
      const alone = openFrontier()
      alone.addSeed('http://a.test/', 0)
      expect(alone.take(1, 0)).toMatchObject([{ crawlUrl: { keepLinks: false } }])
    })
  })

  describe('a page that is retried', () => {
    it('adds links that a dead worker had added to the seen set without reporting them', () => {
      const frontier = openFrontier()
      frontier.addSeed('http://a.test/', 0)
      const id = idOf(frontier.take(1, 0), 'http://a.test/')
      frontier.retry(id, 0, 0)
      const again = frontier.take(1, 0)
      expect(again).toMatchObject([{ crawlUrl: { id, attempt: 2, keepLinks: true } }])
      frontier.visited(id, found([], { packedLinks: packLinks(['http://a.test/claimed']) }), 0)
      expect(visits(frontier.take(1, 0))).toEqual({ 'http://a.test/claimed': 1 })
    })

    it('waits until its time', () => {
      const frontier = openFrontier()
      frontier.addSeed('http://a.test/', 0)
      frontier.retry(idOf(frontier.take(1, 0), 'http://a.test/'), 500, 0)
      expect(frontier.take(1, 499)).toEqual([])
      expect(frontier.wakeAt).toBe(500)
      expect(visits(frontier.take(1, 500))).toEqual({ 'http://a.test/': 0 })
    })
  })
}
