import { describe, expect, it } from 'vitest'
import type { Frontier } from '../../../src/frontier/frontier.ts'
import { parseRobotsText } from '../../support/robots-text.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, gist, idOf } from '../open-frontier.ts'

/** Tests that robots.txt is requested, waited for and obeyed. */
export function robotsContract(openFrontier: OpenFrontier): void {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE
  const DAY = 24 * HOUR
  const A = 'http://a.test'
  const ASK = [`robots ${A}/robots.txt`]

  const rules = (text: string) =>
    ({ access: 'rules', rules: parseRobotsText(text, 'orbweaver') }) as const
  const dead = { access: 'disallow-all', reason: 'refused', isTransient: true } as const

  function frontierWith(...urls: readonly string[]): Frontier {
    const frontier = openFrontier({ ignoreRobots: false })
    for (const url of urls) frontier.addSeed(url, 0)
    return frontier
  }

  /** Keeps the crawl busy with a page of another host that never responds. */
  function keepBusy(frontier: Frontier): void {
    frontier.addSeed('http://busy.test/', 0)
    frontier.take(1, 0)
    frontier.setRobots('http://busy.test', { access: 'allow-all' }, 0)
    frontier.take(1, 0)
  }

  describe('an unreachable robots.txt', () => {
    it('is requested three times within seconds, if nothing else is left to do', () => {
      const frontier = frontierWith(`${A}/`)
      for (const [now, next] of [
        [0, 500],
        [500, 1_500],
      ] as const) {
        expect(gist(frontier.take(9, now))).toEqual(ASK)
        frontier.setRobots(A, dead, now)
        expect(frontier.take(9, next - 1)).toEqual([])
        expect(frontier.wakeAt).toBe(next)
      }
      expect(gist(frontier.take(9, 1_500))).toEqual(ASK)
      frontier.setRobots(A, dead, 1_500)
      const [action] = frontier.take(9, 1_500)
      if (action?.type !== 'fail') throw new Error('not given up')
      expect(action.reason).toBe('refused')
      frontier.failed(action.crawlUrl.id, 1_500)
      expect(frontier.unfinished).toBe(0)
    })

    it('is requested again only after hosts that had no turn yet', () => {
      const frontier = frontierWith(`${A}/`, 'http://b.test/')
      expect(gist(frontier.take(1, 0))).toEqual(ASK)
      frontier.setRobots(A, dead, 30_000)
      expect(gist(frontier.take(9, 31_000))).toEqual(['robots http://b.test/robots.txt', ...ASK])
    })

    it('is requested again after 1, 5 and 15 minutes, while other hosts are crawled', () => {
      const frontier = frontierWith()
      keepBusy(frontier)
      frontier.addSeed(`${A}/`, 0)
      let now = 0
      const asks: number[] = []
      for (let actions = frontier.take(9, 0); gist(actions)[0] === ASK[0]; ) {
        asks.push(now)
        frontier.setRobots(A, dead, now)
        actions = frontier.take(9, now)
        for (const each of actions) if (each.type === 'fail') frontier.failed(each.crawlUrl.id, now)
        if (actions.length > 0) break
        now = frontier.wakeAt ?? Number.NaN
        actions = frontier.take(9, now)
      }
      expect(asks).toEqual([0, 500, 1_500, 61_500, 361_500, 1_261_500])
      expect(frontier.unfinished).toBe(1)
    })

    it('delays its own host only, and is obeyed when it becomes available', () => {
      const frontier = frontierWith()
      keepBusy(frontier)
      frontier.addSeed(`${A}/no`, 0)
      frontier.addSeed(`${A}/yes`, 0)
      frontier.take(9, 0)
      frontier.setRobots(A, dead, 0)
      expect(gist(frontier.take(9, 500))).toEqual(ASK)
      frontier.setRobots(A, rules('User-agent: *\nDisallow: /no'), 500)
      expect(gist(frontier.take(9, 500))).toEqual([`skip ${A}/no`, `visit ${A}/yes`])
    })

    it('is given up after the short pauses if other processes wait for it', () => {
      const frontier = frontierWith()
      keepBusy(frontier)
      frontier.addSeed(`${A}/`, 0)
      for (const now of [0, 500, 1_500]) {
        expect(gist(frontier.take(9, now))).toEqual(ASK)
        frontier.setRobots(A, dead, now, 'short')
      }
      expect(gist(frontier.take(9, 1_500))).toEqual([`fail ${A}/`])
    })

    it('is given up at once if its failure is permanent', () => {
      const frontier = frontierWith(`${A}/`)
      frontier.take(9, 0)
      frontier.setRobots(A, { ...dead, isTransient: false }, 0)
      expect(gist(frontier.take(9, 0))).toEqual([`fail ${A}/`])
    })

    it('is waited for as long as its host asks for, even if nothing else is left', () => {
      const frontier = frontierWith(`${A}/`)
      frontier.take(9, 0)
      frontier.setRobots(A, { ...dead, retryAfter: HOUR }, 0)
      expect(frontier.take(9, HOUR - 1)).toEqual([])
      expect(frontier.wakeAt).toBe(HOUR)
      expect(gist(frontier.take(9, HOUR))).toEqual(ASK)
    })
  })

  describe('an unreachable robots.txt of a host that had responded', () => {
    it('is waited for with growing pauses for as long as the host is, even if nothing else is left', () => {
      const frontier = openFrontier({ ignoreRobots: false, hostPatience: 20_000 })
      frontier.addSeed(`${A}/`, 0)
      frontier.take(9, 0)
      frontier.setRobots(A, { access: 'moved', to: `${A}/r` }, 0)
      const asks: number[] = []
      for (let now = 0; gist(frontier.take(9, now))[0] !== `fail ${A}/`; ) {
        asks.push(now)
        frontier.setRobots(A, dead, now)
        now = frontier.wakeAt ?? now
        if (asks.length > 20) break
      }
      expect(asks).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000])
    })
  })

  describe('a robots.txt whose host asks for too long a pause', () => {
    const insistent = { ...dead, retryAfter: MINUTE, isExcessive: true } as const

    it('is given up if nothing else is left to do', () => {
      const frontier = frontierWith(`${A}/`)
      frontier.take(9, 0)
      frontier.setRobots(A, insistent, 0)
      expect(gist(frontier.take(9, 0))).toEqual([`fail ${A}/`])
    })

    it('is requested again after --max-retry-after, while other hosts are crawled', () => {
      const frontier = frontierWith()
      keepBusy(frontier)
      frontier.addSeed(`${A}/`, 0)
      frontier.take(9, 0)
      frontier.setRobots(A, insistent, 0)
      expect(frontier.take(9, MINUTE - 1)).toEqual([])
      expect(gist(frontier.take(9, MINUTE))).toEqual(ASK)
    })
  })

  describe('a stored robots.txt', () => {
    function afterADay() {
      const frontier = frontierWith(`${A}/1`)
      frontier.take(9, 0)
      frontier.setRobots(A, rules('User-agent: *\nDisallow: /no'), 0)
      const id = idOf(frontier.take(9, 0), `${A}/1`)
      frontier.visited(id, found([`${A}/2`, `${A}/no`]), DAY - 1)
      const second = idOf(frontier.take(1, DAY - 1), `${A}/2`)
      frontier.visited(second, found(), DAY)
      expect(gist(frontier.take(9, DAY))).toEqual(ASK)
      return frontier
    }

    it('is replaced after 24 hours', () => {
      const frontier = afterADay()
      frontier.setRobots(A, { access: 'allow-all' }, DAY)
      expect(gist(frontier.take(9, DAY))).toEqual([`visit ${A}/no`])
    })

    it('stays valid while a new one is unreachable', () => {
      const frontier = afterADay()
      frontier.setRobots(A, dead, DAY)
      expect(gist(frontier.take(9, DAY))).toEqual([`skip ${A}/no`])
    })
  })

  describe('a robots.txt that redirects', () => {
    it('is followed with the delay of each host', () => {
      const frontier = openFrontier({ ignoreRobots: false, delay: 100 })
      frontier.addSeed(`${A}/`, 0)
      frontier.take(9, 0)
      frontier.setRobots(A, { access: 'moved', to: `${A}/r` }, 0)
      expect(frontier.take(9, 99)).toEqual([])
      expect(gist(frontier.take(9, 100))).toEqual([`robots ${A}/r`])
      frontier.setRobots(A, { access: 'moved', to: 'http://b.test/r' }, 100)
      expect(gist(frontier.take(9, 100))).toEqual(['robots http://b.test/r'])
      frontier.addSeed('http://b.test/', 100)
      frontier.setRobots(A, rules('User-agent: *\nDisallow: /no'), 150)
      expect(frontier.take(9, 199)).toEqual([])
      expect(gist(frontier.take(9, 200))).toEqual([`visit ${A}/`])
      expect(gist(frontier.take(9, 250))).toEqual(['robots http://b.test/robots.txt'])
    })

    it('counts as unavailable after five hops', () => {
      const frontier = frontierWith(`${A}/`)
      for (let hop = 0; hop <= 5; hop++) {
        expect(gist(frontier.take(9, 0))).toHaveLength(1)
        frontier.setRobots(A, { access: 'moved', to: `http://${hop}.test/` }, 0)
      }
      expect(gist(frontier.take(9, 0))).toEqual([`visit ${A}/`])
    })
  })

  describe('a robots.txt that is slow to match', () => {
    const often = (times: number) => 'a'.repeat(times)
    const costly = rules(`user-agent: *\ndisallow: /*${often(2_000)}b${often(2_000)}\nallow: /*x`)
    const long = (host: string, page: number) => `http://${host}.test/${often(5_000)}${page}`

    /** Returns the times of the next actions, if each is taken as soon as possible. */
    function timesOf(frontier: Frontier, count: number): number[] {
      const times: number[] = []
      while (times.length < count) {
        const now = frontier.wakeAt ?? expect.fail('nothing to wait for')
        times.push(...frontier.take(9, now).map(() => now))
      }
      return times
    }

    it('delays its host after each URL, even a forbidden one, and no other host', () => {
      const frontier = frontierWith(...[1, 2, 3].map((page) => long('a', page)), 'http://b.test/')
      frontier.take(9, 0)
      frontier.setRobots(A, costly, 0)
      frontier.setRobots('http://b.test', { access: 'allow-all' }, 0)
      const first = frontier.take(9, 0)
      expect(first.map(({ type }) => type).sort()).toEqual(['skip', 'visit'])
      const [second = 0, third = 0] = timesOf(frontier, 2)
      expect(second).toBeGreaterThan(1)
      expect(third).toBeGreaterThan(second + 1)
    })

    it('shares its pauses with all hosts that have such a file', () => {
      const hosts = ['a', 'b', 'c', 'd']
      const frontier = frontierWith(
        ...hosts.map((host) => long(host, 1)),
        ...hosts.map((host) => long(host, 2)),
      )
      frontier.take(9, 0)
      for (const host of hosts) frontier.setRobots(`http://${host}.test`, costly, 0)
      expect(frontier.take(9, 0)).toHaveLength(4)
      const times = timesOf(frontier, 4)
      const pauses = times.map((at, index) => at - (times[index - 1] ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThan(1)
    })

    it('causes no delay for a short URL', () => {
      const frontier = frontierWith(`${A}/1`, `${A}/2`, `${A}/3`)
      frontier.take(9, 0)
      frontier.setRobots(A, costly, 0)
      expect(frontier.take(9, 0)).toHaveLength(3)
    })
  })
}
