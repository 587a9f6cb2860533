import { describe, expect, it } from 'vitest'
import { TRAP_LIMITS } from '../../src/traps/trap-limits.ts'
import { ARTICLES, beside, month, monthNumber, namesFrom, type Page, Walk } from './walk.ts'

/** Sites that are large, monotonous or duplicated, but finite: [name, pages, entry, site]. */
const real: [name: string, pages: number, entry: string, (path: string) => Page][] = [
  [
    'a chain of 5,000 pictures that link only to each other',
    5_000,
    '/photo/1',
    (path) => {
      const at = Number(path.slice(7))
      return at < 5_000 ? [path, '/', `/photo/${at + 1}`] : [path, '/']
    },
  ],
  [
    'a wiki of 12,000 pages under one directory',
    12_000,
    '/wiki/0',
    (path) => {
      const at = Number(path.slice(6))
      const links = [3 * at + 1, 3 * at + 2, 3 * at + 3, at >> 1, at >> 2, (at * 7) % 12_000]
      return [path, ...links.filter((to) => to < 12_000).map((to) => `/wiki/${to}`)]
    },
  ],
  [
    'documentation in 30 versions of the same 200 pages',
    6_000,
    '/docs/v0/0',
    (path) => {
      const [, , version, page] = path.split('/')
      const at = Number(page)
      const further = [3 * at + 1, 3 * at + 2, 3 * at + 3].filter((to) => to < 200)
      const others = Array.from({ length: 30 }, (_, other) => `/docs/v${other}/${at}`)
      return [`page ${at}`, ...others, ...further.map((to) => `/docs/${version}/${to}`)]
    },
  ],
  [
    'an index of 3,000 monotonous pages, each about an item',
    6_000,
    '/list?page=1',
    (path) => {
      if (path.startsWith('/item')) return [path, '/']
      const at = Number(path.slice(11))
      const next = at < 3_000 ? [`/list?page=${at + 1}`] : []
      return ['list', '/', `/item?id=${at}`, ...next]
    },
  ],
  [
    'an archive of 15,000 texts that link to texts at random',
    15_000,
    '/text/0',
    (path) => {
      const at = Number(path.slice(6))
      const further = Array.from({ length: 6 }, (_, i) => (at * 6 + i + 1) % 15_000)
      return [path, ...further.map((to) => `/text/${to}`)]
    },
  ],
  [
    '8,000 links from one page to pages that are all alike',
    8_001,
    '/broken',
    (path) =>
      path === '/broken'
        ? ['index', ...Array.from({ length: 8_000 }, (_, at) => `/gone/${at}`)]
        : ['not here', '/'],
  ],
]

describe('TrapGuard on sites that end', () => {
  it.each(real)('loses no page of %s', (_, pages, entry, site) => {
    const walk = new Walk(beside(entry, site))
    expect(walk.guard.examples()).toEqual([])
    expect(walk.visited.length).toBe(1 + ARTICLES + pages)
  })

  it('loses no page of 60,000 texts that link to ten others at random', () => {
    const walk = new Walk(
      beside('/text/0', (path) => {
        const at = Number(path.slice(6))
        const others = Array.from({ length: 9 }, (_, i) => (at * 7_919 + i * 6_101 + 17) % 60_000)
        return [path, '/', ...[...others, (at + 1) % 60_000].map((to) => `/text/${to}`)]
      }),
      70_000,
      TRAP_LIMITS,
    )
    expect(walk.deferred.size).toBeGreaterThan(0)
    expect(walk.guard.examples()).toEqual([])
    expect(walk.visited.length).toBe(1 + ARTICLES + 60_000)
  })

  it('loses no page of a directory of 10,000 people, although indexes and people show only names', () => {
    const walk = new Walk(
      beside('/people/', (path) => {
        const level = path.split('/').length - 3
        const names = namesFrom(path, level === 2 ? 4 : 50)
        return ['name', '/', ...(level === 3 ? [] : names.map((name) => `${path}${name}/`))]
      }),
      15_000,
      TRAP_LIMITS,
    )
    expect(walk.deferred.size).toBeGreaterThan(0)
    expect(walk.guard.examples()).toEqual([])
    expect(walk.visited.length).toBe(1 + ARTICLES + 1 + 50 + 2_500 + 10_000)
  })

  it("doesn't drop a calendar with rare events", () => {
    const walk = new Walk(
      beside(month(0), (path) => {
        const now = monthNumber(path)
        const says = now % 25 === 0 ? `event in ${now}` : 'no events'
        return now < 5_000 ? [says, month(now + 1)] : [says]
      }),
    )
    expect(walk.visited.length).toBe(1 + ARTICLES + 5_001)
  })
})
