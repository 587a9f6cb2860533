import { describe, expect, it } from 'vitest'
import type { ResourceAction } from '../../../src/frontier/action.ts'
import type { Frontier } from '../../../src/frontier/frontier.ts'
import { parseRobotsText } from '../../support/robots-text.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, idOf } from '../open-frontier.ts'

/** Lets a rendered page load URLs. Their ids are their indexes. */
function load(frontier: Frontier, ...urls: readonly string[]): void {
  for (const [id, url] of urls.entries()) frontier.resources.add({ type: 'resource', id, url })
}

const gist = (actions: readonly ResourceAction[]) =>
  actions.map((action) => {
    if (action.type === 'refuse') return `refuse ${action.id}: ${action.reason}`
    return `${action.type} ${action.type === 'look-up' ? action.host : action.url}`
  })
const REPORT = { health: 'unsure', ms: 10 } as const

/** Tests that the files of rendered pages obey the same rules as all other requests. */
export function resourceContract(openFrontier: OpenFrontier): void {
  describe('a file that a rendered page loads', () => {
    it('counts as a request in flight of its host, and precedes pages', () => {
      const frontier = openFrontier({ perHost: 2 })
      for (const page of [1, 2, 3]) frontier.addSeed(`http://a.test/${page}`, 0)
      const first = frontier.take(1, 0)
      load(frontier, 'http://a.test/x.js', 'http://a.test/y.js')
      expect(gist(frontier.resources.take(0))).toEqual(['resource http://a.test/x.js'])
      expect(frontier.take(10, 0)).toEqual([])
      // The page is now being rendered, and its host is free.
      frontier.completion.answeredEarly(idOf(first, 'http://a.test/1'), REPORT, 0)
      expect(gist(frontier.resources.take(0))).toEqual(['resource http://a.test/y.js'])
      expect(frontier.take(10, 0)).toEqual([])
      frontier.resources.end(0, REPORT, 0)
      expect(frontier.take(10, 0)).toHaveLength(1)
      frontier.visited(idOf(first, 'http://a.test/1'), found(), 0)
      expect(frontier.take(10, 0)).toHaveLength(0)
    })

    it("waits for its host's delay, and starts one for the next page", () => {
      const frontier = openFrontier({ delay: 100 })
      load(frontier, 'http://a.test/x.js', 'http://a.test/y.js')
      frontier.addSeed('http://a.test/', 0)
      expect(frontier.resources.take(0)).toHaveLength(1)
      expect(frontier.take(10, 0)).toEqual([])
      frontier.resources.end(0, REPORT, 1_000)
      expect([frontier.resources.take(1_000), frontier.resources.wakeAt]).toEqual([[], 1_100])
      expect(gist(frontier.resources.take(1_100))).toEqual(['resource http://a.test/y.js'])
    })

    it('pauses with its host after a Retry-After', () => {
      const frontier = openFrontier()
      load(frontier, 'http://a.test/x.js')
      frontier.resources.take(0)
      frontier.resources.end(0, { ...REPORT, retryAfter: 5_000 }, 0)
      load(frontier, 'http://a.test/y.js')
      expect([frontier.resources.take(4_000), frontier.resources.wakeAt]).toEqual([[], 5_000])
      expect(frontier.resources.take(5_000)).toHaveLength(1)
    })

    it('waits for robots.txt, and obeys it', () => {
      const frontier = openFrontier({ ignoreRobots: false })
      load(frontier, 'http://a.test/x.js', 'http://a.test/no.js')
      expect(gist(frontier.resources.take(0))).toEqual(['robots http://a.test/robots.txt'])
      expect(frontier.resources.take(0)).toEqual([])
      const text = 'User-agent: *\nDisallow: /no\nCrawl-delay: 2'
      const rules = parseRobotsText(text, 'orbweaver')
      frontier.setRobots('http://a.test', { access: 'rules', rules }, 0)
      expect([frontier.resources.take(0), frontier.resources.wakeAt]).toEqual([[], 2_000])
      expect(gist(frontier.resources.take(2_000))).toEqual([
        'resource http://a.test/x.js',
        'refuse 1: robots.txt forbids it',
      ])
    })

    it("doesn't lose queued pages of a host that was not in memory", () => {
      const frontier = openFrontier({ ignoreRobots: false, delay: 1_000, hostsInMemory: 1 })
      const rules = parseRobotsText('User-agent: *\nDisallow: /no', 'orbweaver')
      const visited: string[] = []
      const work = (now: number) => {
        for (const action of frontier.take(10, now)) {
          if (action.type === 'robots')
            frontier.setRobots(action.origin, { access: 'rules', rules }, now)
          if (action.type !== 'visit') continue
          visited.push(action.crawlUrl.url)
          frontier.visited(action.crawlUrl.id, found(), now)
        }
      }
      for (const path of ['1', '2']) frontier.addSeed(`http://a.test/${path}`, 0)
      for (const now of [0, 1_000]) work(now)
      for (const host of ['b', 'c']) frontier.addSeed(`http://${host}.test/`, 1_000)
      for (const now of [1_001, 1_002]) work(now)
      load(frontier, 'http://a.test/no.js')
      expect(gist(frontier.resources.take(1_003))).toEqual(['refuse 0: robots.txt forbids it'])
      for (let now = 2_000; now < 20_000; now += 500) work(now)
      expect(visited.filter((url) => url.startsWith('http://a.test/'))).toHaveLength(2)
      expect(frontier.unfinished).toBe(0)
    })

    it('is refused if robots.txt is unreachable or the host is absent', () => {
      const frontier = openFrontier({ ignoreRobots: false })
      load(frontier, 'http://a.test/x.js')
      frontier.resources.take(0)
      const failure = { access: 'disallow-all', reason: 'no answer', isTransient: true } as const
      frontier.setRobots('http://a.test', failure, 0)
      expect(gist(frontier.resources.take(0))).toEqual(['refuse 0: robots.txt is unreachable'])
    })

    it.each([
      [
        { reason: 'http://a.test/robots.txt answered 503' },
        'robots.txt is unreachable: http://a.test/robots.txt answered 503',
      ],
      [{ reason: '10.0.0.1 is not public', error: 'private-address' }, '10.0.0.1 is not public'],
    ] as const)(
      'is refused with the reason why robots.txt could not be fetched: %j',
      (why, message) => {
        const frontier = openFrontier({ ignoreRobots: false })
        load(frontier, 'http://a.test/x.js')
        frontier.resources.take(0)
        frontier.setRobots(
          'http://a.test',
          { access: 'disallow-all', isTransient: false, ...why },
          0,
        )
        expect(gist(frontier.resources.take(0))).toEqual([`refuse 0: ${message}`])
      },
    )
  })
}
