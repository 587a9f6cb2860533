import { describe, expect, it, onTestFinished } from 'vitest'
import { AliasStore } from '../../src/frontier/storage/alias-store.ts'
import { TABLES } from '../../src/frontier/storage/sql-schema.ts'
import { NumericUrlHash } from '../../src/hashing/numeric-url-hash.ts'
import { temporaryStorage } from '../../src/state/crawl-storage.ts'
import { AliasGuard } from '../../src/traps/alias-guard.ts'

const HOST = 'a.test'

/** Returns hashes of a page: of its words, and of everything that it shows. */
const page = (words: number, all = words) => ({ words, all })
const hex = (number: number) => `0123abcd${number.toString(16).padStart(8, 'f')}`

/** Opens a guard with a store, on which others may be opened. */
function openGuard() {
  const { database, hashKey, close } = temporaryStorage()
  onTestFinished(close)
  database.exec(TABLES)
  const keys = new NumericUrlHash(hashKey)
  const open = () => new AliasGuard(new AliasStore(database), (text) => keys.of(text))
  const guard = open()
  return {
    open,
    verdict: (path: string) => guard.verdict(`http://${HOST}${path}`, HOST),
    visit: (path: string, shown?: ReturnType<typeof page>, keepsIds = false) => {
      const likeness = {
        ...(shown && { hashes: shown }),
        ...(keepsIds && { keepsIds: true as const }),
      }
      return guard.visited(`http://${HOST}${path}`, HOST, likeness)
    },
  }
}

type Guard = ReturnType<typeof openGuard>

/** Visits pages under new URLs until one more would be dropped. Returns the number of visits. */
function visitUntilDropped(
  guard: Guard,
  nameOf: (number: number) => string,
  pages: number,
  most = 100,
) {
  for (let number = 0; number < most; number++) {
    if (guard.verdict(nameOf(number)) === 'drop') return number
    guard.visit(nameOf(number), page(number % pages))
  }
  return most
}

describe('AliasGuard', () => {
  it.each([
    ['a parameter named for sessions', (n: number) => `/p${n % 4}?PHPSESSID=${n}`],
    ['a random session id', (n: number) => `/p${n % 4}?sid=${hex(n)}`],
    ['numeric session ids', (n: number) => `/p${n % 4}?sid=${n}`],
    ['the page that visitors come from', (n: number) => `/p${n % 4}?ref=page${n}`],
    [
      'a login that returns to itself',
      (n: number) => `/login${n % 4}?next=%2Flogin%3Fnext%3D%2F${n}`,
    ],
    ['random ids in the path', (n: number) => `/s/${hex(n)}/p${n % 4}`],
    [
      'sessions next to other random numbers',
      (n: number) => `/p${n % 4}?sid=${hex(n)}&x=${hex(n * 7)}`,
    ],
    ['sessions on pages with ids of their own', (n: number) => `/${hex(n % 4)}?PHPSESSID=${n}`],
    [
      'sessions in paths with repeated segments',
      (n: number) => `/p${n % 4}/${'a/'.repeat(n + 2)};jsessionid=${n}`,
    ],
  ])('drops URLs with %s after about forty visits', (_, nameOf) => {
    const most = visitUntilDropped(openGuard(), nameOf, 4)
    expect(most).toBeGreaterThan(8)
    expect(most).toBeLessThan(50)
  })

  it('drops URLs with repeated segments', () => {
    const guard = openGuard()
    expect(visitUntilDropped(guard, (n) => `/a/${'a/'.repeat(n + 1)}`, 1)).toBeLessThan(50)
    expect(guard.verdict('/a/')).toBe('fetch')
    expect(guard.verdict('/b/b/')).toBe('fetch')
  })

  it('defers similar URLs before it drops them', () => {
    const guard = openGuard()
    const verdicts = Array.from({ length: 60 }, (_, n) => {
      const path = `/p?PHPSESSID=${n}`
      const verdict = guard.verdict(path)
      guard.visit(path, page(1))
      return verdict
    })
    const first = (verdict: 'defer' | 'drop') => verdicts.indexOf(verdict)
    expect(first('defer')).toBeGreaterThan(1)
    expect(first('drop')).toBeGreaterThan(first('defer'))
    expect(verdicts.slice(first('drop'))).not.toContain('fetch')
  })

  it('drops only pages that were visited under another URL', () => {
    const guard = openGuard()
    visitUntilDropped(guard, (n) => `/p${n % 4}?sid=${hex(n)}`, 4)
    expect(guard.verdict(`/p1?sid=${hex(900)}`)).toBe('drop')
    expect(guard.verdict(`/new?sid=${hex(901)}`)).toBe('fetch')
    expect(guard.verdict(`/new?sid=${hex(902)}`)).toBe('defer')
    expect(guard.verdict(`/new?sid=${hex(901)}`)).toBe('fetch')
    guard.visit(`/new?sid=${hex(901)}`, page(900))
    expect(guard.verdict(`/new?sid=${hex(901)}`)).toBe('fetch')
    expect(guard.verdict(`/new?sid=${hex(902)}`)).toBe('drop')
    expect(guard.verdict('/p1')).toBe('fetch')
  })

  it('recognizes a file under another name, although its content is not compared', () => {
    const guard = openGuard()
    visitUntilDropped(guard, (n) => `/p${n % 4}?sid=${hex(n)}`, 4)
    guard.visit(`/file.pdf?sid=${hex(900)}`)
    expect(guard.verdict(`/file.pdf?sid=${hex(901)}`)).toBe('drop')
  })

  it('learns nothing from files alone', () => {
    const guard = openGuard()
    for (let n = 0; n < 100; n++) guard.visit(`/f${n % 4}.pdf?PHPSESSID=${n}`)
    expect(guard.verdict('/f1.pdf?PHPSESSID=900')).toBe('fetch')
  })

  it.each([
    ['a number of its own', (n: number) => page(n % 4, n)],
    ['words of its own', (n: number) => page(n)],
  ])('drops nothing if each page has %s, and the id may be that of the page', (_, shown) => {
    const names = [
      (n: number) => `/p${n % 4}?sid=${n}`,
      (n: number) => `/p${n % 4}?from=${n}`,
      (n: number) => `/s/${hex(n)}/p${n % 4}`,
      (n: number) => `/a/${'a/'.repeat(n + 1)}`,
    ]
    for (const nameOf of names) {
      const guard = openGuard()
      for (let n = 0; n < 200; n++) guard.visit(nameOf(n), shown(n))
      expect(guard.verdict(nameOf(201))).toBe('fetch')
    }
  })

  it('keeps ids that are in the links of their page, but no session next to them', () => {
    const guard = openGuard()
    const visit = (path: string, all: number) => guard.visit(path, page(all), true)
    for (let n = 0; n < 100; n++) visit(`/s/${hex(n)}/p${n % 4}`, n % 4)
    expect(guard.verdict(`/s/${hex(900)}/p1`)).toBe('fetch')
    for (let n = 0; n < 100; n++) visit(`/s/${hex(n % 4)}/p?PHPSESSID=${n}`, n % 4)
    expect(guard.verdict(`/s/${hex(1)}/p?PHPSESSID=900`)).toBe('drop')
    expect(guard.verdict(`/s/${hex(901)}/p?PHPSESSID=900`)).toBe('fetch')
  })

  it('drops other names of a page only once it was found equal, if few pages were', () => {
    const guard = openGuard()
    visitUntilDropped(guard, (n) => `/s/${hex(n)}/log-in-${n % 4}`, 4)
    guard.visit(`/s/${hex(900)}/print`, page(900))
    expect(guard.verdict(`/s/${hex(901)}/print`)).toBe('defer')
    guard.visit(`/s/${hex(901)}/print`, page(900))
    expect(guard.verdict(`/s/${hex(902)}/print`)).toBe('drop')
    guard.visit(`/s/${hex(900)}/show`, page(901))
    guard.visit(`/s/${hex(901)}/show`, page(902))
    expect(guard.verdict(`/s/${hex(902)}/print`)).toBe('fetch')
  })

  it('drops other names of all pages once very many were found equal', () => {
    const guard = openGuard()
    for (let n = 0; n < 400; n++) guard.visit(`/s/${hex(n)}/p${n % 32}`, page(n % 32))
    guard.visit(`/s/${hex(900)}/print`, page(900))
    expect(guard.verdict(`/s/${hex(901)}/print`)).toBe('drop')
  })

  it('learns from one directory nothing about the ids of another', () => {
    const guard = openGuard()
    visitUntilDropped(guard, (n) => `/s/${hex(n)}/p${n % 4}`, 4)
    visitUntilDropped(guard, (n) => `/shop/p${n % 4}?x=${hex(n)}`, 4)
    guard.visit(`/item/${hex(900)}`, page(900))
    guard.visit(`/item?x=${hex(900)}`, page(901))
    expect(guard.verdict(`/item/${hex(901)}`)).toBe('fetch')
    expect(guard.verdict(`/item?x=${hex(901)}`)).toBe('fetch')
  })

  it('tolerates different numbers on a page if a random id is named like a session', () => {
    const guard = openGuard()
    const visit = (n: number, pages: number) => {
      guard.visit(`/p${n % pages}?sid=${hex(n)}`, page(n % pages, n))
    }
    for (let n = 0; n < 100; n++) visit(n, 4)
    expect(guard.verdict(`/p1?sid=${hex(900)}`)).toBe('fetch')
    for (let n = 100; n < 200; n++) visit(n, 8)
    expect(guard.verdict(`/p1?sid=${hex(900)}`)).toBe('drop')
  })

  it('tolerates a few different pages if the name is that of a session', () => {
    const guard = openGuard()
    const visit = (n: number, often: number) => {
      guard.visit(`/p${n % 4}?PHPSESSID=${n}`, page(n % often === 0 ? 1_000 + n : n % 4))
    }
    for (let n = 1; n <= 200; n++) visit(n, 5)
    expect(guard.verdict('/p1?PHPSESSID=900')).toBe('fetch')
    for (let n = 201; n <= 800; n++) visit(n, 50)
    expect(guard.verdict('/p1?PHPSESSID=900')).toBe('drop')
  })

  it('learns nothing if all pages are the same shell', () => {
    const guard = openGuard()
    for (let n = 0; n < 200; n++) guard.visit(`/p${n % 9}?sid=${hex(n)}`, page(1))
    for (let n = 0; n < 200; n++) guard.visit(`/item/${hex(n)}`, page(1))
    expect(guard.verdict(`/p1?sid=${hex(900)}`)).toBe('fetch')
    expect(guard.verdict(`/item/${hex(900)}`)).toBe('fetch')
  })

  it('no longer suspects a kind of URL after a page turns out to be different', () => {
    const guard = openGuard()
    for (let n = 0; n < 20; n++) guard.visit(`/p${n % 4}?sid=${n}`, page(n % 4))
    expect(guard.verdict('/p1?sid=900')).toBe('defer')
    expect(guard.visit('/p1?sid=901', page(77))).toBe(true)
    expect(guard.verdict('/p1?sid=900')).toBe('fetch')
    expect(guard.visit('/p1?sid=902', page(78))).toBe(false)
  })

  it('learns nothing from the same URL fetched again', () => {
    const guard = openGuard()
    for (let n = 0; n < 400; n++) guard.visit(`/p${n % 4}?PHPSESSID=1`, page(n % 4))
    expect(guard.verdict('/p1?PHPSESSID=2')).toBe('fetch')
  })

  it('continues from what is stored', () => {
    const guard = openGuard()
    visitUntilDropped(guard, (n) => `/p${n % 4}?sid=${hex(n)}`, 4)
    const later = guard.open()
    expect(later.verdict(`http://${HOST}/p1?sid=${hex(900)}`, HOST)).toBe('drop')
    expect(later.verdict(`http://${HOST}/new?sid=${hex(900)}`, HOST)).toBe('fetch')
    expect(later.verdict(`http://b.test/p1?sid=${hex(900)}`, 'b.test')).toBe('fetch')
  })
})
