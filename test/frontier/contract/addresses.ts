import { describe, expect, it } from 'vitest'
import type { Action } from '../../../src/frontier/action.ts'
import type { OpenFrontier } from '../open-frontier.ts'
import { found, gist } from '../open-frontier.ts'

/** Tests that hosts with the same address share their requests. */
export function addressContract(openFrontier: OpenFrontier): void {
  const hosts = ['a.test', 'b.test', 'c.test']

  /** Opens a frontier with three hosts of three pages each, and sets their addresses. */
  function threeHosts(options: { delay?: number; perHost?: number }, ...addresses: string[]) {
    const frontier = openFrontier({ perIp: true, ...options })
    for (const host of hosts)
      for (const page of [1, 2, 3]) frontier.addSeed(`http://${host}/${page}`, 0)
    expect(gist(frontier.take(9, 0))).toEqual(hosts.map((host) => `look-up ${host}`))
    expect(frontier.take(9, 0)).toEqual([])
    for (const [index, host] of hosts.entries()) frontier.setAddress(host, addresses[index], 0)
    return frontier
  }

  const ids = (actions: readonly Action[]) =>
    actions.flatMap((action) => (action.type === 'visit' ? [action.crawlUrl.id] : []))

  describe('--per-ip', () => {
    it('lets hosts with the same address share their requests in flight, and take turns', () => {
      const frontier = threeHosts({ perHost: 2 }, '192.0.2.1', '192.0.2.1', '192.0.2.1')
      const visited: string[] = []
      for (let round = 0; round < 5; round++) {
        const actions = frontier.take(9, 0)
        expect(actions.length).toBeLessThanOrEqual(2)
        visited.push(...gist(actions))
        for (const id of ids(actions)) frontier.visited(id, found(), 0)
      }
      expect(new Set(visited).size).toBe(9)
      expect(frontier.unfinished).toBe(0)
      const first = visited.slice(0, 4).map((url) => new URL(url.slice(6)).host)
      expect(new Set(first).size).toBe(3)
    })

    it('lets hosts with the same address share their delay', () => {
      const frontier = threeHosts({ delay: 100 }, '192.0.2.1', '192.0.2.1', '192.0.2.1')
      let now = 0
      for (let count = 0; count < 9; count++) {
        const actions = frontier.take(9, now)
        expect(actions).toHaveLength(1)
        for (const id of ids(actions)) frontier.visited(id, found(), now)
        expect(frontier.take(9, now + 99)).toEqual([])
        now += 100
      }
      expect(frontier.unfinished).toBe(0)
    })

    it("doesn't apply to hosts with different or unknown addresses", () => {
      const frontier = threeHosts({ perHost: 1 }, '192.0.2.1', '192.0.2.2')
      expect(frontier.take(9, 0)).toHaveLength(3)
    })

    it('continues with other hosts if the URLs of one are all over --max-per-host', () => {
      const frontier = openFrontier({ perIp: true, perHost: 1, maxPerHost: 1 })
      for (const host of hosts)
        for (const page of [1, 2]) frontier.addSeed(`http://${host}/${page}`, 0)
      frontier.take(9, 0)
      for (const host of hosts) frontier.setAddress(host, '192.0.2.1', 0)
      for (let round = 0; round < 9 && frontier.unfinished > 0; round++) {
        for (const id of ids(frontier.take(9, 0))) frontier.visited(id, found(), 0)
      }
      expect(frontier.unfinished).toBe(0)
    })

    it('applies the pause of one host to that host only', () => {
      const frontier = threeHosts({ perHost: 1 }, '192.0.2.1', '192.0.2.1', '192.0.2.1')
      const [action] = frontier.take(1, 0)
      const [id = 0] = ids(action === undefined ? [] : [action])
      frontier.report(id, { health: 'unsure', retryAfter: 3_600_000 }, 0)
      frontier.retry(id, 3_600_000, 0)
      expect(gist(frontier.take(9, 0))).toEqual(['visit http://b.test/1'])
    })
  })
}
