import { describe, expect, it } from 'vitest'
import { parseRobotsText } from '../../support/robots-text.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, gist, idOf, visits } from '../open-frontier.ts'

/** Tests that hosts get no more requests than the options and robots.txt allow. */
export function politenessContract(openFrontier: OpenFrontier): void {
  describe('politeness', () => {
    it('limits the requests in flight per host', () => {
      const frontier = openFrontier({ perHost: 2 })
      for (const page of [1, 2, 3]) frontier.addSeed(`http://a.test/${page}`, 0)
      const first = frontier.take(10, 0)
      expect(first).toHaveLength(2)
      frontier.failed(idOf(first, 'http://a.test/1'), 0)
      expect(frontier.take(10, 0)).toHaveLength(1)
    })

    it.each([
      ['slow.test', 5_000],
      ['www.slow.test:8080', 5_000],
      ['quick.slow.test', 1],
      ['127.0.0.2:8080', 3_000],
      ['[::1]:8080', 2_000],
      ['notslow.test', 1_000],
      ['constructor', 1_000],
    ])(
      'pauses as long as the nearest host or domain with a delay of its own says: %s',
      (host, pause) => {
        const hostDelay = {
          'slow.test': 5_000,
          'quick.slow.test': 1,
          '127.0.0.2': 3_000,
          '[::1]': 2_000,
        }
        const frontier = openFrontier({ delay: 1_000, hostDelay })
        for (const page of [1, 2]) frontier.addSeed(`http://${host}/${page}`, 0)
        frontier.visited(idOf(frontier.take(10, 0), `http://${host}/1`), found(), 0)
        expect(frontier.take(10, pause - 1)).toEqual([])
        expect(gist(frontier.take(10, pause))).toEqual([`visit http://${host}/2`])
      },
    )

    it('lets no URL wait in workers for a host with a delay of its own', () => {
      const frontier = openFrontier({
        perHost: 2,
        queuedPerHost: 1,
        hostDelay: { 'a.test': 1_000 },
      })
      for (let page = 0; page < 9; page++) frontier.addSeed(`http://a.test/${page}`, 0)
      for (let page = 0; page < 4; page++) {
        const id = idOf(frontier.take(10, page * 1_000), `http://a.test/${page}`)
        frontier.report(id, { health: 'well', ms: 1 }, page * 1_000)
        frontier.visited(id, found(), page * 1_000)
      }
      expect(frontier.take(10, 4_000)).toHaveLength(1)
      expect(frontier.take(10, 5_000)).toEqual([])
    })

    describe('with URLs that may wait in workers', () => {
      /** Opens a frontier with a host of perHost 2 that has responded well to two requests. */
      const openProven = () => {
        const frontier = openFrontier({ perHost: 2, queuedPerHost: 1 })
        for (let page = 0; page < 9; page++) frontier.addSeed(`http://a.test/${page}`, 0)
        const first = frontier.take(10, 0)
        for (const page of [0, 1]) {
          const id = idOf(first, `http://a.test/${page}`)
          frontier.report(id, { health: 'well', ms: 1 }, 0)
          frontier.visited(id, found(), 0)
        }
        return { frontier, first }
      }

      it('hands out more URLs than requests in flight, after a number of good responses', () => {
        const { frontier, first } = openProven()
        expect(first).toHaveLength(2)
        expect(frontier.take(10, 0)).toHaveLength(3)
        expect(frontier.take(10, 0)).toEqual([])
      })

      it.each([
        ['fails', { health: 'failed', ms: 1 }],
        ['asks for a pause', { health: 'well', ms: 1, retryAfter: 50 }],
        ['is uncertain', { health: 'unsure', ms: 1 }],
      ] as const)('recalls waiting URLs if the host %s, and hands out no more', (_, report) => {
        const { frontier } = openProven()
        const [one, ...others] = frontier.take(10, 0).flatMap((action) => {
          return action.type === 'visit' ? [action.crawlUrl] : []
        })
        frontier.report(one?.id ?? 0, report, 0)
        expect(frontier.takeHostsToRecall()).toEqual(['a.test'])
        expect(frontier.takeHostsToRecall()).toEqual([])
        frontier.visited(one?.id ?? 0, found(), 0)
        expect(frontier.take(10, 10)).toEqual([])
        for (const { id } of others) frontier.returnUnsent(id, 10)
        expect(frontier.unfinished).toBe(6)
        expect(Object.keys(visits(frontier.take(10, 1_000))).length).toBeGreaterThan(0)
      })

      it('recalls no URL of a host that responds well', () => {
        const { frontier } = openProven()
        expect(frontier.takeHostsToRecall()).toEqual([])
      })

      it('recalls waiting URLs of a host that is freed before its outcome counts', () => {
        const { frontier } = openProven()
        const [first] = frontier.take(10, 0)
        if (first?.type !== 'visit') throw new Error('expected a visit')
        frontier.completion.answeredEarly(first.crawlUrl.id, { health: 'unsure', ms: 1 }, 0)
        expect(frontier.takeHostsToRecall()).toEqual(['a.test'])
      })

      it('hands out no more URLs than requests in flight after queueing has ended', () => {
        const { frontier } = openProven()
        frontier.endQueueing()
        expect(frontier.take(10, 0)).toHaveLength(2)
      })
    })

    it('hands out returned URLs before later ones', () => {
      const frontier = openFrontier({ perHost: 1 })
      for (let page = 0; page < 9; page++) frontier.addSeed(`http://a.test/${page}`, 0)
      frontier.returnUnsent(idOf(frontier.take(10, 0), 'http://a.test/0'), 0)
      expect(Object.keys(visits(frontier.take(10, 0)))).toEqual(['http://a.test/0'])
    })

    it('keeps no delay after returned URLs, for which nothing was sent', () => {
      const frontier = openFrontier({ delay: 10_000 })
      frontier.addSeed('http://127.0.0.1/1', 0)
      const first = frontier.take(10, 0)
      frontier.returnUnsent(idOf(first, 'http://127.0.0.1/1'), 5)
      const again = frontier.take(10, 6)
      frontier.visited(idOf(again, 'http://127.0.0.1/1'), found(), 10)
      frontier.addSeed('http://127.0.0.1/2', 10)
      expect(frontier.take(10, 10_009)).toEqual([])
      expect(Object.keys(visits(frontier.take(10, 10_010)))).toEqual(['http://127.0.0.1/2'])
    })

    it("doesn't count returned URLs as a page or an attempt", () => {
      const frontier = openFrontier({ perHost: 2, maxPerHost: 2 })
      for (const page of [1, 2]) frontier.addSeed(`http://a.test/${page}`, 0)
      frontier.returnUnsent(idOf(frontier.take(10, 0), 'http://a.test/1'), 0)
      const [again] = frontier.take(10, 0)
      expect(again).toMatchObject({
        type: 'visit',
        crawlUrl: { url: 'http://a.test/1', attempt: 1 },
      })
    })

    it('starts the delay when a response ends, and requests one page at a time', () => {
      const frontier = openFrontier({ delay: 100 })
      frontier.addSeed('http://a.test/1', 0)
      frontier.addSeed('http://a.test/2', 0)
      const first = frontier.take(10, 0)
      expect(first).toHaveLength(1)
      frontier.failed(idOf(first, 'http://a.test/1'), 1_000)
      expect(frontier.take(10, 1_099)).toEqual([])
      expect(frontier.wakeAt).toBe(1_100)
      expect(frontier.take(10, 1_100)).toHaveLength(1)
    })

    it.each([
      [0, 1_100],
      [0.5, 1_125],
      [1, 1_150],
    ])('adds a random share of the jitter to the delay: %d', (part, wakeAt) => {
      const pauses: number[] = []
      const onPause = (_: string, pause: number) => void pauses.push(pause)
      const frontier = openFrontier({ delay: 100, jitter: 0.5, random: () => part, onPause })
      for (const page of [1, 2]) frontier.addSeed(`http://a.test/${page}`, 0)
      frontier.failed(idOf(frontier.take(10, 0), 'http://a.test/1'), 1_000)
      expect(frontier.take(10, 1_099)).toEqual([])
      expect(frontier.wakeAt).toBe(wakeAt)
      expect(pauses).toEqual([wakeAt - 1_000])
    })

    it('counts http and https on their default ports as one host', () => {
      const frontier = openFrontier({ perHost: 1 })
      frontier.addSeed('http://a.test/', 0)
      frontier.addSeed('https://a.test/', 0)
      expect(frontier.take(10, 0)).toHaveLength(1)
      expect(frontier.hosts.count).toBe(1)
    })

    it('prefers a host that has responded, but not forever while others are ready', () => {
      const frontier = openFrontier()
      for (const host of ['a', 'b'])
        for (let page = 0; page < 40; page++) frontier.addSeed(`http://${host}.test/${page}`, 0)
      const hosts: string[] = []
      for (let request = 0; request < 40; request++) {
        const [action, ...others] = frontier.take(1, 0)
        if (action?.type !== 'visit' || others.length > 0) throw new Error('expected one visit')
        hosts.push(new URL(action.crawlUrl.url).hostname)
        frontier.visited(action.crawlUrl.id, found(), 0)
      }
      const streaks = hosts.filter((host, index) => host !== hosts[index - 1])
      expect(streaks).toEqual(['a.test', 'b.test', 'a.test'])
      expect(hosts.filter((host) => host === 'b.test')).toHaveLength(16)
    })

    it('prefers no host that responded slowly or not at all', () => {
      const frontier = openFrontier()
      for (const host of ['a', 'b', 'c'])
        for (const page of [1, 2]) frontier.addSeed(`http://${host}.test/${page}`, 0)
      const slow = idOf(frontier.take(1, 0), 'http://a.test/1')
      frontier.report(slow, { health: 'well', ms: 2_000 }, 2_000)
      frontier.visited(slow, found(), 2_000)
      const silent = idOf(frontier.take(1, 2_000), 'http://b.test/1')
      frontier.report(silent, { health: 'failed', ms: 30_000 }, 32_000)
      frontier.failed(silent, 32_000)
      expect(gist(frontier.take(1, 32_000))).toEqual(['visit http://c.test/1'])
    })

    it('lets hosts take turns', () => {
      const frontier = openFrontier()
      for (const page of [1, 2]) frontier.addSeed(`http://a.test/${page}`, 0)
      for (const page of [1, 2]) frontier.addSeed(`http://b.test/${page}`, 0)
      expect(Object.keys(visits(frontier.take(2, 0)))).toEqual([
        'http://a.test/1',
        'http://b.test/1',
      ])
    })
  })

  describe('connections of a worker', () => {
    it('are left to other hosts if a host responds slowly or not at all', () => {
      const frontier = openFrontier({ workers: 1, concurrency: 8, timeout: 1_000 })
      const pages = [1, 2, 3, 4, 5, 6]
      for (const host of ['a', 'b'])
        for (const page of pages) frontier.addSeed(`http://${host}.test/${page}`, 0)
      const first = frontier.take(8, 0)
      expect(first).toHaveLength(6)
      frontier.addSeed('http://c.test/', 0)
      const other = frontier.take(2, 0)
      expect(visits(other)).toEqual({ 'http://c.test/': 0 })
      frontier.visited(idOf(other, 'http://c.test/'), found(), 0)
      const takenAfter = (page: number, ms: number) => {
        const id = idOf(first, `http://a.test/${page}`)
        frontier.report(id, { health: 'well', ms }, 0)
        frontier.visited(id, found(), 0)
        return frontier.take(8, 0).length
      }
      expect(takenAfter(1, 999)).toBe(1)
      // Four are in flight after three fast responses.
      expect([takenAfter(2, 10), takenAfter(3, 10)]).toEqual([1, 1])
    })

    it('are kept for hosts that respond quickly while hundreds of others never respond', () => {
      const frontier = openFrontier({ workers: 1, concurrency: 8 })
      for (const page of [1, 2, 3, 4, 5, 6]) frontier.addSeed(`http://quick.test/${page}`, 0)
      const visitOne = (now: number) => {
        const [action] = frontier.take(1, now)
        if (action?.type !== 'visit') throw new Error('no visit')
        const { id, url } = action.crawlUrl
        frontier.report(id, { health: 'well', ms: 10 }, now)
        frontier.visited(id, found(), now)
        return url
      }
      for (const page of [1, 2, 3]) expect(visitOne(page)).toBe(`http://quick.test/${page}`)
      for (let host = 0; host < 300; host++) frontier.addSeed(`http://silent${host}.test/`, 3)
      const taken = Object.keys(visits(frontier.take(16, 4)))
      expect(taken.filter((url) => url.includes('silent'))).toHaveLength(6)
      expect(taken.filter((url) => url.includes('quick'))).toHaveLength(3)
      expect(frontier.wakeAt).toBeGreaterThan(5_000)
      // When quick hosts have nothing to do any more, the others get all connections.
      expect(frontier.take(2, 20_000)).toHaveLength(2)
    })

    it('are all available to a single host, however slow it is', () => {
      const frontier = openFrontier({ workers: 1, concurrency: 8, timeout: 1_000 })
      for (const page of [1, 2, 3, 4, 5, 6, 7]) frontier.addSeed(`http://a.test/${page}`, 0)
      const first = frontier.take(8, 0)
      expect(first).toHaveLength(6)
      const id = idOf(first, 'http://a.test/1')
      frontier.report(id, { health: 'well', ms: 999 }, 0)
      frontier.visited(id, found(), 0)
      expect(frontier.take(8, 0)).toHaveLength(1)
    })
  })

  describe('robots.txt', () => {
    const robots = (text: string) =>
      ({ access: 'rules', rules: parseRobotsText(text, 'orbweaver') }) as const

    function requested(text: string, ...paths: readonly string[]) {
      const frontier = openFrontier({ ignoreRobots: false })
      for (const path of paths) frontier.addSeed(`http://a.test${path}`, 0)
      expect(frontier.take(10, 0)).toEqual([
        { type: 'robots', origin: 'http://a.test', url: 'http://a.test/robots.txt' },
      ])
      expect(frontier.take(10, 0)).toEqual([])
      frontier.setRobots('http://a.test', robots(text), 0)
      return frontier
    }

    it('is requested once, before anything else', () => {
      const frontier = requested('User-agent: *\nDisallow:', '/1', '/2')
      expect(visits(frontier.take(10, 0))).toEqual({ 'http://a.test/1': 0, 'http://a.test/2': 0 })
    })

    it('forbids a URL, with the rule', () => {
      const frontier = requested('User-agent: *\nDisallow: /no', '/no/page')
      const rule = { allow: false, pattern: '/no', line: 2 }
      expect(frontier.take(10, 0)).toMatchObject([{ type: 'skip', reason: 'robots', rule }])
      expect(frontier.unfinished).toBe(0)
    })

    it('lengthens the delay by its Crawl-delay', () => {
      const frontier = requested('User-agent: *\nCrawl-delay: 2', '/1')
      expect(frontier.wakeAt).toBe(2_000)
      expect(frontier.take(10, 1_999)).toEqual([])
      expect(frontier.take(10, 2_000)).toHaveLength(1)
    })
  })
}
