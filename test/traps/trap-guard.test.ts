import { describe, expect, it } from 'vitest'
import { TrapGuard } from '../../src/traps/trap-guard.ts'
import { TRAP_LIMITS } from '../../src/traps/trap-limits.ts'
import { heapBytes } from '../support/heap-bytes.ts'
import { QUICK_LIMITS } from './quick-limits.ts'
import {
  ARTICLES,
  articlesOf,
  beside,
  month,
  monthNumber,
  namesFrom,
  type Page,
  Walk,
} from './walk.ts'

/** Endless sites, with the maximum number of pages of the trap that are visited. */
const traps: [name: string, most: number, entry: string, (path: string) => Page][] = [
  [
    'a calendar without end',
    1_500,
    month(24_000),
    (path) => {
      const now = monthNumber(path)
      return [`No events in month ${now % 12}`, '/', month(now - 1), month(now + 1)]
    },
  ],
  ['a path that deepens', 1_000, '/a/', (path) => ['the same', '/', `${path}a/`]],
  ['a path that deepens, with content', 1_000, '/a/', (path) => [path, '/', `${path}a/`]],
  [
    'relative links that wind',
    5_000,
    '/x/',
    (path) => ['the same', ...['img', 'blog', 'ajax', 'shop'].map((name) => `${path}${name}/`)],
  ],
  [
    'session ids in the query',
    3_000,
    '/app/p1?sid=0',
    (path) => {
      const page = Number(/p(\d+)/.exec(path)?.[1])
      const links = namesFrom(path, 4, 16).map((id, i) => `/app/p${(page + i * 3) % 20}?sid=${id}`)
      return [`page ${page}`, ...links]
    },
  ],
  [
    'session ids in the path',
    5_000,
    '/s/0123abcd4567/p1',
    (path) => {
      const page = Number(/p(\d+)/.exec(path)?.[1])
      const links = namesFrom(path, 4, 16).map((id, i) => `/s/${id}/p${(page + i * 3) % 20}`)
      return [`page ${page}`, ...links]
    },
  ],
  [
    'facets',
    10_000,
    '/shop?sort=0',
    (path) => {
      const chosen = path.slice(6).split('&')
      const links = ['sort', 'color', 'size', 'brand', 'stock', 'view'].flatMap((name) => {
        const others = chosen.filter((each) => !each.startsWith(name))
        return [0, 1, 2, 3, 4, 5].map((value) => {
          return `/shop?${[...others, `${name}=${value}`].sort().join('&')}`
        })
      })
      return [`selection ${path.length % 10}`, ...links]
    },
  ],
]

describe('TrapGuard', () => {
  it.each(traps)(
    'drops %s after %i pages at most, and loses no article',
    (_, most, entry, trap) => {
      const walk = new Walk(beside(entry, trap))
      expect(walk.dropped).toBeGreaterThan(0)
      expect(articlesOf(walk)).toBe(ARTICLES)
      expect(walk.visited.length - ARTICLES).toBeLessThan(most)
    },
  )

  it('lets a suspected pattern wait until the rest of its host is done', () => {
    const walk = new Walk(beside('/s/a/0', (path) => ['the same', '/', `${path}1`, `${path}2`]))
    expect(walk.deferred.size).toBeGreaterThan(0)
    const lastArticle = walk.visited.lastIndexOf(`/articles/${ARTICLES}`)
    const early = walk.visited.slice(0, lastArticle).filter((path) => path.startsWith('/s/'))
    expect(early.length).toBeLessThan(700)
  })

  it('reports the pattern, an example and the number of dropped URLs', () => {
    const walk = new Walk(beside(month(24_000), () => ['nothing', '/']))
    expect(walk.guard.examples()).toEqual([])
    const [, , entry, calendar] = traps[0] ?? expect.fail('no calendar')
    const { guard } = new Walk(beside(entry, calendar))
    const [first, ...rest] = guard.examples()
    expect(rest).toEqual([])
    expect(first).toMatchObject({ pattern: 'a.test/calendar/#', dropped: 2 })
    expect(first?.example).toMatch(/^http:\/\/a\.test\/calendar\/\d+\/\d+$/)
  })

  it('only defers a maze whose pages have content of their own', () => {
    const maze = (path: string): Page => [
      path,
      '/',
      ...namesFrom(path, 8).map((name) => `/maze/${name}`),
    ]
    const walk = new Walk(beside('/maze/in', maze), 10_000)
    expect(walk.dropped).toBe(0)
    expect(articlesOf(walk)).toBe(ARTICLES)
    const lastArticle = walk.visited.lastIndexOf(`/articles/${ARTICLES}`)
    expect(lastArticle).toBeLessThan(5_000)
  })

  it('drops a maze of pages that show nothing new once a path through it does not end, and loses no article', () => {
    const maze = (path: string): Page => [
      'nothing',
      '/',
      ...namesFrom(path, 8).map((name) => `/maze/${name}`),
    ]
    const walk = new Walk(beside('/maze/in', maze), 10_000, TRAP_LIMITS)
    expect(walk.dropped).toBeGreaterThan(0)
    expect(articlesOf(walk)).toBe(ARTICLES)
    expect(walk.visited.length - ARTICLES).toBeLessThan(2_500)
  })

  it('drops nothing of thousands of pages with the same text, nor of a chain of a thousand', () => {
    const last = 8_000
    const wide = (path: string): Page => {
      const page = Number(path.slice(6))
      const next = [1, 2, 3].map((i) => 3 * page + i).filter((number) => number <= last)
      return ['the same', ...next.map((number) => `/wide/${number}`)]
    }
    const chain = (path: string): Page => {
      const page = Number(path.slice(7))
      return page < 1_000 ? ['the same', `/chain/${page + 1}`] : ['the same']
    }
    for (const [entry, site] of [['/wide/0', wide] as const, ['/chain/1', chain] as const]) {
      expect(new Walk(beside(entry, site), 20_000, TRAP_LIMITS).dropped).toBe(0)
    }
    expect(new Walk(beside('/wide/0', wide), 20_000, TRAP_LIMITS).visited).toContain(
      `/wide/${last}`,
    )
  })

  it('judges each host separately', () => {
    const guard = new TrapGuard(QUICK_LIMITS)
    for (let i = 0; i < 2_000; i++) {
      const discovered = [`http://bad.test/x/${i + 1}`]
      guard.visited(`http://bad.test/x/${i}`, {
        signals: { hasNewContent: false, linkCount: 1 },
        depth: i,
        discovered,
      })
    }
    expect(guard.admit('http://bad.test/x/9')).toBe('drop')
    expect(guard.admit('http://good.test/x/9')).toBe('fetch')
  })

  it('uses limited memory, for any hosts and paths', () => {
    const guard = new TrapGuard()
    const before = heapBytes()
    for (let host = 0; host < 150; host++) {
      for (let page = 0; page < 200; page++) {
        const path = namesFrom(`${host}/${page}`, 3).map((name) => name.slice(0, 1 + (page % 9)))
        guard.admit(`http://h${host}.test/${path.join('/')}/${'long'.repeat(100)}`)
      }
    }
    // Their URLs take more than 13 MB.
    expect(heapBytes() - before).toBeLessThan(5e6)
  })

  it('uses no memory for hosts that are only linked to, and little for those with few pages', () => {
    const guard = new TrapGuard()
    const urls = Array.from({ length: 10_000 }, (_, host) => `http://h${host}.test/a.html`)
    const signals = { hasNewContent: true, linkCount: 10 }
    const before = heapBytes()
    for (let page = 0; page < 16; page++) {
      guard.visited('http://hub.test/', { signals, depth: 1, discovered: urls })
    }
    const linked = heapBytes()
    expect((linked - before) / urls.length).toBeLessThan(20)
    for (const url of urls) guard.visited(url, { signals, depth: 1, discovered: [] })
    expect((heapBytes() - linked) / urls.length).toBeLessThan(300)
  })
})
