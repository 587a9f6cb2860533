import { Fifo } from '../../src/collections/fifo.ts'
import { TrapGuard } from '../../src/traps/trap-guard.ts'
import { QUICK_LIMITS } from './quick-limits.ts'

/** The text of a page, which counts as new content a number of times, and its links. */
export type Page = readonly [says: string, ...links: string[]]

const OFTEN = 31

function urlOf(path: string): string {
  return `http://a.test${path}`
}

/** Visits a site in the order of discovery, and deferred pages when nothing else is left, probed ones newest first. */
export class Walk {
  readonly guard: TrapGuard
  readonly visited: string[] = []
  readonly deferred = new Set<string>()
  readonly #site: (path: string) => Page
  readonly #ready = new Fifo<string>()
  /** Deferred paths, the nearest first. */
  readonly #later: string[] = []
  #isProbing = false
  readonly #shown = new Map<string, number>()
  /** Depths of all URLs that were found. */
  readonly #depths = new Map<string, number>()

  constructor(site: (path: string) => Page, max = 20_000, limits = QUICK_LIMITS) {
    this.guard = new TrapGuard(limits)
    this.#site = site
    this.#discover(['/'], 0)
    while (this.visited.length < max) {
      const path =
        this.#ready.shift() ?? (this.#isProbing ? this.#later.pop() : this.#later.shift())
      if (path === undefined) break
      this.#turn(path)
    }
  }

  get dropped(): number {
    return this.guard.examples().reduce((sum, { dropped }) => sum + dropped, 0)
  }

  #turn(path: string): void {
    const verdict = this.guard.admit(urlOf(path))
    if (verdict === 'drop') return
    if (verdict !== 'fetch') this.#isProbing = verdict === 'probe'
    if (verdict !== 'fetch' && !this.deferred.has(path)) {
      this.deferred.add(path)
      this.#later.push(path)
      return
    }
    this.visited.push(path)
    const [says, ...links] = this.#site(path)
    const times = (this.#shown.get(says) ?? 0) + 1
    this.#shown.set(says, times)
    const discovered = this.#discover(links, (this.#depths.get(path) ?? 0) + 1).map(urlOf)
    const isTrusted = this.guard.visited(urlOf(path), {
      signals: { hasNewContent: times <= OFTEN, linkCount: links.length },
      depth: this.#depths.get(path) ?? 0,
      discovered,
    })
    if (isTrusted) for (const each of this.#later.splice(0)) this.#ready.push(each)
  }

  #discover(links: readonly string[], depth: number): string[] {
    const discovered = links.filter((link) => !this.#depths.has(link))
    for (const link of discovered) {
      this.#depths.set(link, depth)
      this.#ready.push(link)
    }
    return discovered
  }
}

export const ARTICLES = 500

/** Returns a site with a chain of articles, which take long to find, and another part. */
export function beside(entry: string, other: (path: string) => Page): (path: string) => Page {
  return (path) => {
    if (path === '/') return ['home', entry, '/articles/1']
    if (!path.startsWith('/articles/')) return other(path)
    const next = Number(path.slice(10)) + 1
    return next <= ARTICLES ? [path, '/', `/articles/${next}`] : [path, '/']
  }
}

export function articlesOf({ visited }: Walk): number {
  return visited.filter((path) => path.startsWith('/articles/')).length
}

/** Returns names that no two pages share, and that are the same for the same page. */
export function namesFrom(path: string, count: number, radix = 36): string[] {
  let state = 7
  for (let i = 0; i < path.length; i++) state = Math.imul(state ^ path.charCodeAt(i), 0x01000193)
  return Array.from({ length: count }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return `${(state >>> 0).toString(radix)}${(Math.imul(state, 31) >>> 0).toString(radix)}`
  })
}

export function month(number: number): string {
  return `/calendar/${Math.floor(number / 12)}/${(number % 12) + 1}`
}

export function monthNumber(path: string): number {
  const [, , year, of] = path.split('/')
  return Number(year) * 12 + Number(of) - 1
}
