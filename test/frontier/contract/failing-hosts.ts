import { describe, expect, it } from 'vitest'
import type { Frontier } from '../../../src/frontier/frontier.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, gist, idOf } from '../open-frontier.ts'

/** Tests that hosts which fail or ask for pauses get pauses, and are given up in the end. */
export function failingHostContract(openFrontier: OpenFrontier): void {
  const HOUR = 3_600_000

  function seeded(frontier: Frontier, ...urls: readonly string[]) {
    for (const url of urls) frontier.addSeed(url, 0)
    return frontier
  }

  describe('a host that asks for a pause', () => {
    it('gets it while other hosts continue, and then its URL is retried', () => {
      const frontier = seeded(openFrontier({ perHost: 1 }), 'http://a.test/1')
      seeded(frontier, 'http://b.test/1', 'http://b.test/2')
      const actions = frontier.take(9, 0)
      expect(gist(actions)).toEqual(['visit http://a.test/1', 'visit http://b.test/1'])
      const id = idOf(actions, 'http://a.test/1')
      frontier.report(id, { health: 'unsure', retryAfter: HOUR }, 0)
      frontier.retry(id, HOUR, 0)
      frontier.visited(idOf(actions, 'http://b.test/1'), found(), 0)
      const next = frontier.take(9, 0)
      expect(gist(next)).toEqual(['visit http://b.test/2'])
      frontier.visited(idOf(next, 'http://b.test/2'), found(), 0)
      expect(frontier.take(9, HOUR - 1)).toEqual([])
      expect(frontier.wakeAt).toBe(HOUR)
      const again = frontier.take(9, HOUR)
      expect(again).toMatchObject([{ crawlUrl: { url: 'http://a.test/1', attempt: 2 } }])
    })

    it('that is too long, too often, is given up, even with good responses in between', () => {
      const frontier = seeded(openFrontier({ perHost: 1, maxHostErrors: 2 }), 'http://a.test/1')
      seeded(frontier, 'http://a.test/2', 'http://a.test/3', 'http://a.test/4')
      const insistent = { health: 'failed', isExcessive: true, retryAfter: 10 } as const
      const reports = [insistent, { health: 'well' }, insistent] as const
      const givenUp = reports.map((report, index) => {
        const id = idOf(frontier.take(9, index * 10), `http://a.test/${index + 1}`)
        const host = frontier.report(id, report, index * 10)
        frontier.visited(id, found(), index * 10)
        return host
      })
      const reason = 'its Retry-After was longer than --max-retry-after 2 times'
      expect(givenUp).toEqual([
        undefined,
        undefined,
        { key: 'a.test', reason, waiting: 1, hasAnswered: false },
      ])
      const skips = frontier.take(9, 20)
      expect(gist(skips)).toEqual(['skip http://a.test/4'])
      expect(skips[0]).toMatchObject({ reason: 'host-failed' })
      expect(frontier.unfinished).toBe(0)
    })
  })

  describe('a host that keeps failing', () => {
    const urls = [1, 2, 3, 4, 5].map((page) => `http://a.test/${page}`)

    /** Visits one page after the other with these outcomes, until the host is given up. */
    function visitInTurn(...health: readonly ('well' | 'unsure' | 'failed')[]) {
      const frontier = seeded(openFrontier({ perHost: 1, maxHostErrors: 3 }), ...urls)
      for (const [index, each] of health.entries()) {
        const id = idOf(frontier.take(1, 0), urls[index] ?? '')
        const host = frontier.report(id, { health: each }, 0)
        frontier.visited(id, found(), 0)
        if (host !== undefined) return { index, host, frontier }
      }
      return { frontier }
    }

    it('is given up once after a number of failures in a row', () => {
      const { index, host, frontier } = visitInTurn('failed', 'unsure', 'failed', 'failed')
      expect({ index, host }).toEqual({
        index: 3,
        host: { key: 'a.test', reason: '3 failures in a row', waiting: 1, hasAnswered: false },
      })
      expect(gist(frontier.take(9, 0))).toEqual(['skip http://a.test/5'])
    })

    it('is not given up if it responds in between', () => {
      expect(visitInTurn('failed', 'failed', 'well', 'failed', 'failed').host).toBeUndefined()
    })

    it('gets no further attempts either, however long they had to wait', () => {
      const frontier = seeded(openFrontier({ maxHostErrors: 1 }), ...urls.slice(0, 3))
      const actions = frontier.take(9, 0)
      const [first = 0, second = 0, third = 0] = urls.slice(0, 3).map((url) => idOf(actions, url))
      frontier.retry(first, 60_000, 0)
      frontier.report(second, { health: 'failed' }, 0)
      frontier.failed(second, 0)
      frontier.retry(third, 60_000, 0)
      expect(gist(frontier.take(9, 0))).toEqual(['skip http://a.test/1', 'skip http://a.test/3'])
      expect(frontier.unfinished).toBe(0)
    })

    it('is given up at once, even during a pause of hours', () => {
      const frontier = seeded(openFrontier({ perHost: 2, maxHostErrors: 1 }), ...urls)
      const actions = frontier.take(9, 0)
      const [first = 0, second = 0] = urls.slice(0, 2).map((url) => idOf(actions, url))
      frontier.report(first, { health: 'unsure', retryAfter: HOUR }, 0)
      frontier.retry(first, HOUR, 0)
      expect(frontier.take(9, 0)).toEqual([])
      frontier.report(second, { health: 'failed' }, 0)
      frontier.failed(second, 0)
      expect(frontier.take(9, 0)).toHaveLength(4)
      expect(frontier.unfinished).toBe(0)
    })
  })

  describe('--max-per-host', () => {
    it("skips the rest at once, and doesn't count a retry as a page", () => {
      const delay = { delay: HOUR, maxPerHost: 1 }
      const frontier = seeded(openFrontier(delay), 'http://a.test/1', 'http://a.test/2')
      const id = idOf(frontier.take(1, 0), 'http://a.test/1')
      frontier.retry(id, 0, 0)
      const rest = frontier.take(9, HOUR)
      expect(gist(rest)).toEqual(['skip http://a.test/2', 'visit http://a.test/1'])
      expect(rest[0]).toMatchObject({ reason: 'limit' })
      frontier.visited(id, found(['http://a.test/3']), HOUR)
      expect(gist(frontier.take(9, HOUR))).toEqual(['skip http://a.test/3'])
    })
  })

  describe('--max-per-domain', () => {
    it("skips the rest of all hosts of the domain at once, and doesn't count a retry as a page", () => {
      const limits = { delay: HOUR, maxPerDomain: 1 }
      const frontier = seeded(openFrontier(limits), 'http://1.wild.test/', 'http://1.wild.test/2')
      const id = idOf(frontier.take(1, 0), 'http://1.wild.test/')
      frontier.retry(id, 0, 0)
      seeded(frontier, 'http://2.wild.test:81/', 'http://wild.test/', 'http://calm.test/')
      const rest = frontier.take(9, 0)
      expect(gist(rest).toSorted()).toEqual([
        'skip http://1.wild.test/2',
        'skip http://2.wild.test:81/',
        'skip http://wild.test/',
        'visit http://calm.test/',
      ])
      expect(rest).toContainEqual(expect.objectContaining({ reason: 'domain-limit' }))
      expect(gist(frontier.take(9, HOUR))).toEqual(['visit http://1.wild.test/'])
    })

    it('looks up no address for a URL beyond the limit', () => {
      const limits = { perIp: true, maxPerDomain: 1 }
      const frontier = seeded(openFrontier(limits), 'http://1.wild.test/')
      expect(gist(frontier.take(9, 0))).toEqual(['look-up 1.wild.test'])
      frontier.setAddress('1.wild.test', '192.0.2.1', 0)
      expect(gist(frontier.take(9, 0))).toEqual(['visit http://1.wild.test/'])
      seeded(frontier, 'http://2.wild.test/')
      expect(gist(frontier.take(9, 0))).toEqual(['skip http://2.wild.test/'])
    })
  })

  describe('--adaptive', () => {
    /** Returns when the host is free again after responses of these durations. */
    function pauseAfter(options: { delay?: number }, ...times: readonly [number, boolean][]) {
      const frontier = openFrontier({ adaptive: true, ...options })
      let now = 0
      for (const [index, [ms, isWell]] of times.entries()) {
        frontier.addSeed(`http://a.test/${index}`, now)
        frontier.addSeed(`http://a.test/${index + 1}`, now)
        const id = idOf(frontier.take(9, now), `http://a.test/${index}`)
        frontier.report(id, { health: isWell ? 'well' : 'failed', ms }, now)
        frontier.visited(id, found(), now)
        frontier.take(9, now)
        now = frontier.wakeAt || now
      }
      frontier.take(1, now - 1)
      return now
    }

    it('uses the latency as the delay: at once if it grows, half-way if it falls', () => {
      expect(pauseAfter({}, [400, true])).toBe(400)
      expect(pauseAfter({}, [400, true], [100, true])).toBe(400 + 250)
      expect(pauseAfter({}, [100, true], [400, true])).toBe(100 + 400)
    })

    it('stays between --delay and a minute', () => {
      expect(pauseAfter({ delay: 300 }, [10, true])).toBe(300)
      expect(pauseAfter({}, [500_000, true])).toBe(60_000)
    })

    it("doesn't reduce the delay after failures", () => {
      expect(pauseAfter({}, [400, true], [1, false])).toBe(400 + 400)
      expect(pauseAfter({}, [400, true], [1_000, false])).toBe(400 + 1_000)
    })
  })
}
