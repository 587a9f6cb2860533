import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HostRobots } from '../../../src/frontier/hosts/host-robots.ts'
import { LargeRules } from '../../../src/frontier/hosts/large-rules.ts'
import { HostStore } from '../../../src/frontier/storage/host-store.ts'
import { TABLES } from '../../../src/frontier/storage/sql-schema.ts'
import { WallClock } from '../../../src/runtime/wall-clock.ts'
import { temporaryStorage } from '../../../src/state/crawl-storage.ts'
import { parseRobotsText } from '../../support/robots-text.ts'

const MIB = 2 ** 20

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Returns a robots.txt with `count` rules, each of which forbids one path. */
function rulesOf(count: number, name = 'x') {
  const lines = Array.from({ length: count }, (_, i) => `disallow: /${name}${i}$`)
  const text = ['user-agent: *', 'crawl-delay: 3', ...lines].join('\n')
  return { access: 'rules', rules: parseRobotsText(text, '') } as const
}

/** Opens hosts whose robots.txt are stored in one database, with a cache of `room` bytes. */
function openHosts(room: number) {
  const { database, close } = temporaryStorage()
  onTestFinished(close)
  database.exec(TABLES)
  const store = new HostStore(database, new WallClock())
  const shelf = new LargeRules(store, room)
  const ids = new Map<string, number>()
  const idOf = (name: string) => {
    const id = ids.get(name) ?? store.insert(name).id
    ids.set(name, id)
    return id
  }
  return {
    store,
    idOf,
    host: (name: string) => new HostRobots(idOf(name), shelf, store.robotsOf(idOf(name))),
  }
}

const verdict = (host: HostRobots, name: string, path: string) =>
  host.verdict(`http://${name}/${path}`, 0).type

describe('a robots.txt with many rules', () => {
  it('is obeyed after its rules were evicted from memory', () => {
    const { host, idOf, store } = openHosts(1)
    const hosts = ['a', 'b', 'c'].map((name) => ({ name, robots: host(name) }))
    for (const { name, robots } of hosts) robots.answer(`http://${name}`, rulesOf(500, name), 0)
    expect(store.robotsOf(idOf('a')).map(([origin]) => origin)).toEqual(['http://a'])
    for (const { name, robots } of [...hosts, ...hosts]) {
      expect(robots.crawlDelay).toBe(3_000)
      expect(verdict(robots, name, `${name}499`)).toBe('forbidden')
      expect(verdict(robots, name, `${name}500`)).toBe('allowed')
    }
  })

  it('is obeyed after its host was reloaded into memory, and by a later run', () => {
    const { host, idOf, store } = openHosts(MIB)
    const before = host('a')
    before.answer('http://a', rulesOf(2_000), 0)
    for (const [origin, known] of before.takeUnsaved()) store.putRobots(idOf('a'), origin, known)
    const later = host('a')
    expect(later.crawlDelay).toBe(3_000)
    expect(verdict(later, 'a', 'x1999')).toBe('forbidden')
    expect(verdict(later, 'a', 'x2000')).toBe('allowed')
    expect(later.takeUnsaved()).toEqual([])
  })

  it('is not stored again after a shorter one has replaced it', () => {
    const { host, idOf, store } = openHosts(1)
    const robots = host('a')
    robots.answer('http://a', rulesOf(500), 0)
    robots.answer('http://a', rulesOf(1, 'short'), 1)
    for (const [origin, known] of robots.takeUnsaved()) store.putRobots(idOf('a'), origin, known)
    host('b').answer('http://b', rulesOf(500), 2)
    expect(store.robots('http://a')?.answer).toEqual(rulesOf(1, 'short'))
  })

  it('is passed to other processes completely', () => {
    const { host } = openHosts(1)
    const robots = host('a')
    robots.answer('http://a', rulesOf(500), 0)
    host('b').answer('http://b', rulesOf(500), 0)
    expect(robots.takeUnsaved()).toMatchObject([['http://a', { answer: rulesOf(500) }]])
  })

  it('costs its host a pause when it is parsed, like a URL that is slow to match', () => {
    const { host } = openHosts(MIB)
    const robots = host('a')
    robots.answer('http://a', rulesOf(2_000), 0)
    verdict(robots, 'a', 'x1')
    expect(robots.cost).toBeGreaterThan(100_000)
    verdict(robots, 'a', 'x2')
    expect(robots.cost).toBeLessThan(1_000)
  })

  it('uses limited memory, for any number of hosts', () => {
    const { host } = openHosts(4 * MIB)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const hosts = Array.from({ length: 20 }, (_, i) => ({ name: `h${i}`, robots: host(`h${i}`) }))
    for (const { name, robots } of hosts) robots.answer(`http://${name}`, rulesOf(5_000, name), 0)
    for (const { name, robots } of hosts)
      expect(verdict(robots, name, `${name}7`)).toBe('forbidden')
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * MIB)
  })
})
