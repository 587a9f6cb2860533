import { expect, it } from 'vitest'
import { heapBytes } from '../../support/heap-bytes.ts'
import { found, gist, idOf, openFrontier } from '../open-frontier.ts'

const HOSTS = 250

it('robots.txt and page counts of hosts survive their eviction from memory', () => {
  const frontier = openFrontier({ ignoreRobots: false, maxPerHost: 1, hostsInMemory: 100 })
  for (let host = 0; host < HOSTS; host++) {
    const origin = `http://h${host}.test`
    frontier.addSeed(`${origin}/`, 0)
    expect(gist(frontier.take(1, 0))).toEqual([`robots ${origin}/robots.txt`])
    frontier.setRobots(origin, { access: 'allow-all' }, 0)
    const actions = frontier.take(1, 0)
    frontier.visited(idOf(actions, `${origin}/`), found(), 0)
  }
  expect([frontier.hosts.count, frontier.unfinished]).toEqual([HOSTS, 0])
  expect(frontier.hosts.inMemory).toBeLessThanOrEqual(100)
  frontier.addSeed('http://h7.test/more', 0)
  expect(gist(frontier.take(9, 0))).toEqual(['skip http://h7.test/more'])
})

it('page counts of registrable domains survive the eviction of their hosts from memory', () => {
  const frontier = openFrontier({ maxPerDomain: 7, hostsInMemory: 20 })
  const tally = { visit: 0, skip: 0 }
  for (let host = 0; host < HOSTS; host++) {
    for (const domain of ['wild.test', `calm${host}.test`]) {
      const url = `http://h${host}.${domain}/`
      frontier.addSeed(url, 0)
      const actions = frontier.take(1, 0)
      if (domain === 'wild.test') tally[actions[0]?.type === 'visit' ? 'visit' : 'skip']++
      if (actions[0]?.type === 'visit') frontier.visited(idOf(actions, url), found(), 0)
    }
  }
  expect(tally).toEqual({ visit: 7, skip: HOSTS - 7 })
  expect(frontier.hosts.inMemory).toBeLessThanOrEqual(20)
})

it('each visited host uses at most 2,300 bytes of memory, robots.txt included', () => {
  const frontier = openFrontier({ ignoreRobots: false, traps: false })
  const visitHosts = (first: number, last: number) => {
    for (let host = first; host < last; host++) {
      const origin = `http://h${host}.test`
      frontier.addSeed(`${origin}/`, 0)
      frontier.take(1, 0)
      frontier.setRobots(origin, { access: 'allow-all' }, 0)
      frontier.visited(idOf(frontier.take(1, 0), `${origin}/`), found(), 0)
    }
    return heapBytes()
  }
  // Code that V8 compiles meanwhile adds to one of the steps.
  const sizes = [1, 2, 3, 4].map((step) => visitHosts((step - 1) * 1_000, step * 1_000))
  const perHost = sizes.slice(1).map((size, step) => (size - (sizes[step] ?? 0)) / 1_000)
  expect(Math.min(...perHost)).toBeLessThan(2_300)
})

it('at most 5,000 hosts are in memory, of any number of known hosts', () => {
  const frontier = openFrontier()
  for (let host = 0; host < 5_500; host++) frontier.addSeed(`http://h${host}.test/`, 0)
  expect(frontier.hosts.inMemory).toBe(5_000)
})
