import { detachedCopy } from '../encoding/detached-copy.ts'
import type { TrapSignals } from '../messages/outcome.ts'
import { hostKey } from '../url/host-key.ts'
import type { AliasGuard } from './alias-guard.ts'
import { HostWatch } from './host-watch.ts'
import { pathPattern } from './path-pattern.ts'
import type { PatternYield, TrapVerdict, VisitYield } from './pattern-yield.ts'
import type { TrapExample } from './trap-example.ts'
import { TRAP_LIMITS, type TrapLimits, type TreeLimits, treeLimits } from './trap-limits.ts'

/** Maximum number of nodes of all hosts together. The least recently used host is evicted first. */
const MAX_NODES = 32_768
/** Number of repeated segments from which a URL is always dropped: no real path with this many is known. */
const MAX_REPEATS = 32
/** Maximum number of patterns to report at the end. */
const MAX_EXAMPLES = 100

/** The result of a visited page. */
interface PageYield {
  readonly signals: TrapSignals
  /** Number of links from a seed. */
  readonly depth: number
  /** New URLs that were found on this page. */
  readonly discovered: readonly string[]
}

/**
 * Recognizes endless URL spaces by the lack of new content on their pages.
 *
 * A pattern is a trap if its URLs come from its own pages, and these pages show nothing new, visit after visit. A maze,
 * which consists of thousands of pages that lead only to new ones, is deferred until its host has no other URLs. If its
 * pages show nothing new, it is dropped once a path through it doesn't end. A URL with a great number of repeated
 * segments is always dropped.
 */
export class TrapGuard {
  readonly #limits: TreeLimits
  readonly #aliases: AliasGuard | undefined
  readonly #hosts = new Map<string, HostWatch>()
  readonly #examples = new Map<string, { example: string; dropped: number }>()
  #latest: HostWatch | undefined
  #nodes = 0

  constructor(limits: TrapLimits = TRAP_LIMITS, aliases?: AliasGuard) {
    this.#limits = treeLimits(limits)
    this.#aliases = aliases
  }

  /** Returns whether to fetch, defer or drop a URL. Must be called once per URL: `drop` counts the URL as dropped. */
  admit(url: string, host = hostKey(url)): TrapVerdict {
    const verdict = this.#aliases?.verdict(url, host) ?? 'fetch'
    if (verdict === 'drop' || repeatsTooOften(url)) {
      this.#note(`${host}${patternOf(url)}`, url)
      return 'drop'
    }
    return verdict === 'fetch' ? this.#admitByPattern(url, host) : verdict
  }

  #admitByPattern(url: string, host: string): TrapVerdict {
    if (this.#hosts.get(host)?.isSuspect !== true) return 'fetch'
    const patterns = this.#patternsOf(url, host)
    const trap = patterns.find(({ verdict }) => verdict === 'drop')
    if (trap !== undefined) {
      this.#note(`${host}${trap.pattern}`, url)
      return 'drop'
    }
    return patterns.find(({ verdict }) => verdict !== 'fetch')?.verdict ?? 'fetch'
  }

  /**
   * Learns from a page that was read. Must not be called for redirects and files: a site may redirect all its URLs one
   * after another, and files have no links.
   *
   * @returns whether a deferred pattern of the host is trusted again
   */
  visited(url: string, page: PageYield, host = hostKey(url)): boolean {
    const { alias } = page.signals
    const isTrusted = alias && this.#aliases?.visited(url, host, alias)
    return this.#learn(url, page, host) || isTrusted === true
  }

  #learn(
    url: string,
    { signals: { hasNewContent, linkCount }, depth, discovered }: PageYield,
    host: string,
  ): boolean {
    // A site may have many pages without anything new, such as error pages, but a trap needs new links.
    if (!hasNewContent && discovered.length === 0) return this.#learnDeadEnd(url, host)
    const watch = this.#watchOf(host)
    const weight = watch.nextWeight(hasNewContent)
    if (weight === 0) return false
    const patterns = this.#patternsOf(url, host)
    const outside = this.#countDiscovered(discovered, patterns, weight)
    const counts = { weight, depth, hasNewContent, linkCount }
    const suspects = patterns.filter(isDeferred)
    report(patterns, { ...counts, discovered: discovered.length }, outside)
    watch.review(patterns)
    return suspects.some(({ verdict }) => verdict === 'fetch')
  }

  #learnDeadEnd(url: string, host: string): boolean {
    if (this.#hosts.get(host)?.isSuspect !== true) return false
    const suspects = this.#patternsOf(url, host).filter(isDeferred)
    for (const pattern of suspects) pattern.reachedDeadEnd()
    return suspects.some(({ verdict }) => verdict === 'fetch')
  }

  /** Returns the first patterns that were dropped. */
  examples(): TrapExample[] {
    return [...this.#examples].map(([pattern, rest]) => ({ pattern, ...rest }))
  }

  /**
   * Counts new URLs for their patterns.
   * @param by the patterns of the page that links to the URLs
   * @returns for each pattern in `by`, the number of new URLs outside of it whose patterns aren't dull
   */
  #countDiscovered(urls: readonly string[], by: readonly PatternYield[], weight: number): number[] {
    const isPageDull = by.some((pattern) => pattern.isDull)
    const outside = by.map(() => 0)
    for (const url of urls) {
      const patterns = this.#knownPatternsOf(url)
      for (const pattern of patterns)
        pattern.countDiscovered(isPageDull || by.includes(pattern), weight)
      if (patterns.some((pattern) => pattern.isDull)) continue
      for (const [i, pattern] of by.entries()) {
        if (!patterns.includes(pattern)) outside[i] = (outside[i] ?? 0) + 1
      }
    }
    return outside
  }

  /** Returns the patterns of a URL; none if no page of its host was counted, as for most hosts outside the crawl. */
  #knownPatternsOf(url: string): readonly PatternYield[] {
    const host = hostKey(url)
    return this.#hosts.get(host)?.hasTree === true ? this.#patternsOf(url, host) : []
  }

  #patternsOf(url: string, host: string): readonly PatternYield[] {
    const { tokens } = pathPattern(url)
    const { tree } = this.#watchOf(host)
    const before = tree.size
    const patterns = tree.find(tokens)
    this.#nodes += tree.size - before
    this.#forgetOldest()
    return patterns
  }

  /** Returns the watch of a host, and moves it to the end of the map. The first one in the map is evicted next. */
  #watchOf(key: string): HostWatch {
    if (this.#latest?.key === key) return this.#latest
    const host = this.#hosts.get(key) ?? this.#newHost(key)
    this.#hosts.delete(key)
    this.#hosts.set(host.key, host)
    this.#latest = host
    return host
  }

  #newHost(key: string): HostWatch {
    // The key is a slice of a URL, which is a slice of a message: without a copy, it would keep both in memory.
    const host = new HostWatch(detachedCopy(key), this.#limits)
    this.#nodes += host.size
    this.#forgetOldest()
    return host
  }

  #forgetOldest(): void {
    if (this.#nodes <= MAX_NODES) return
    for (const host of this.#hosts.values()) {
      if (this.#nodes <= MAX_NODES || this.#hosts.size === 1) return
      this.#hosts.delete(host.key)
      this.#nodes -= host.size
    }
  }

  #note(pattern: string, url: string): void {
    const known = this.#examples.get(pattern)
    if (known !== undefined) known.dropped++
    else if (this.#examples.size < MAX_EXAMPLES)
      this.#examples.set(pattern, { example: url, dropped: 1 })
  }
}

function isDeferred({ verdict }: PatternYield): boolean {
  return verdict === 'defer' || verdict === 'probe'
}

/** Returns whether a URL has so many repeated segments that it must come from broken relative links. */
function repeatsTooOften(url: string): boolean {
  let slashes = 0
  for (let at = url.indexOf('/'); at >= 0; at = url.indexOf('/', at + 1)) slashes++
  if (slashes < MAX_REPEATS - 1) return false
  const [path = ''] = url.split('?', 1)
  return pathPattern(path).repeats >= MAX_REPEATS
}

/** Returns the pattern to report for a dropped URL: if segments repeat, everything below its first directory. */
function patternOf(url: string): string {
  const { tokens, repeats } = pathPattern(url)
  if (repeats > 0) return `/${tokens[0]}/...`
  return tokens.map((token) => (token.startsWith('?') ? token : `/${token}`)).join('')
}

/** Reports a visit to its patterns. A suspected pattern's parents are judged by their other members only. */
function report(
  patterns: readonly PatternYield[],
  counts: Omit<VisitYield, 'outside'>,
  outside: readonly number[],
): void {
  for (const [index, pattern] of patterns.entries()) {
    pattern.visited({ ...counts, outside: outside[index] ?? 0 })
    if (pattern.verdict !== 'fetch') return
  }
}
