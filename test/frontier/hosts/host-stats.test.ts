import { describe, expect, it } from 'vitest'
import { busyHosts, type HostStats } from '../../../src/frontier/hosts/host-stats.ts'
import { found, idOf, openFrontier } from '../open-frontier.ts'

const AT_ONCE = { record: { notBefore: 0 } }

const host = (name: string, inFlight: number, queued: number, latency?: number) => {
  const stats: HostStats = { host: name, pages: 1, inFlight, queued }
  const shown = latency === undefined ? stats : { ...stats, latency }
  const urls = { hasUnsettled: false, head: undefined, hasUnsettledBefore: () => false }
  const waits = { urls, pauses: { at: () => undefined } }
  return {
    ...{ stats: shown, isAway: false, availability: { failingFor: () => 0 }, load: AT_ONCE },
    ...waits,
  }
}

describe('the lists of busy hosts', () => {
  it('start with the hosts with the most requests, then URLs, and omit idle hosts', () => {
    const hosts = [host('a', 1, 9), host('idle', 0, 0, 99), host('b', 2, 1), host('c', 1, 10)]
    const { busiest, slowest } = busyHosts([...hosts, host('d', 0, 99, 5)], 3, 0)
    expect(busiest.map((stats) => stats.host)).toEqual(['b', 'c', 'a'])
    expect(slowest.map((stats) => stats.host)).toEqual(['d'])
  })

  it('have absent hosts separately, those absent longest first', () => {
    const silent = (name: string, ms: number) => ({
      ...{ ...host(name, 0, 5), isAway: true, availability: { failingFor: () => ms } },
      load: { record: { notBefore: 1_500 } },
    })
    const { away } = busyHosts([host('a', 1, 1), silent('b', 1), silent('c', 9)], 1, 1_000)
    expect(away).toEqual([{ host: 'c', ms: 9, nextMs: 500, queued: 5 }])
  })

  it("don't show a host as pausing if others of its URLs may be requested", () => {
    const frontier = openFrontier({ perHost: 3 })
    const seeds = [1, 2, 3].map((page) => `http://a.test/${page}`)
    for (const url of seeds) frontier.addSeed(url, 0)
    const actions = frontier.take(1, 0)
    const first = actions[0]?.type === 'visit' ? actions[0].crawlUrl.id : 0
    frontier.report(first, { health: 'well', ms: 1 }, 0)
    frontier.retry(first, 30_000, 0)
    expect(frontier.hosts.busy(9, 0).paused).toEqual([])
    const others = frontier.take(9, 0)
    expect(others.length).toBeGreaterThan(0)
    for (const url of seeds.slice(1)) {
      const all = [...others, ...frontier.take(9, 0)]
      frontier.visited(idOf(all, url), found(), 0)
      others.push(...frontier.take(9, 0))
    }
    expect(frontier.hosts.busy(9, 0).paused).toEqual([
      { host: 'a.test', reason: 'retry', nextMs: 30_000 },
    ])
  })

  it('have pausing hosts separately, with the reason and the remaining time', () => {
    const frontier = openFrontier({ perHost: 1 })
    const seeds = ['http://a.test/', 'http://b.test/', 'http://c.test/']
    for (const url of seeds) frontier.addSeed(url, 0)
    const actions = frontier.take(9, 0)
    const ids = seeds.map((url) => idOf(actions, url))
    const [a = 0, b = 0] = ids
    frontier.report(a, { health: 'well', ms: 80, retryAfter: 30_000 }, 80)
    frontier.retry(a, 30_000, 80)
    frontier.report(b, { health: 'well', ms: 80 }, 80)
    frontier.retry(b, 2_000, 80)
    expect(frontier.hosts.busy(9, 1_080).paused).toEqual([
      { host: 'a.test', reason: 'retry-after', nextMs: 29_000 },
      { host: 'b.test', reason: 'retry', nextMs: 1_000 },
    ])
    expect(frontier.hosts.busy(1, 1_080).paused).toHaveLength(1)
  })

  it('are returned by a frontier', () => {
    const frontier = openFrontier({ perHost: 1 })
    for (const url of ['http://a.test/', 'http://b.test/']) frontier.addSeed(url, 0)
    const actions = frontier.take(9, 0)
    const id = idOf(actions, 'http://a.test/')
    frontier.report(id, { health: 'well', ms: 80 }, 80)
    frontier.visited(id, found(['http://a.test/1', 'http://a.test/2']), 80)
    const [next] = frontier.take(1, 80)
    if (next?.type !== 'visit') throw new Error('expected a page')
    frontier.report(next.crawlUrl.id, { health: 'well', ms: 160 }, 200)
    expect(frontier.hosts.busy(1, 200).slowest).toEqual([
      { host: 'a.test', pages: 2, queued: 1, inFlight: 1, latency: 90 },
    ])
    expect(frontier.hosts.busy(9, 200).busiest).toHaveLength(2)
  })
})
