import { detachedCopy } from '../encoding/detached-copy.ts'
import type { TrapSignals } from '../messages/messages.ts'
import { hostKey } from '../url/host-key.ts'
import { HostWatch } from './host-watch.ts'
import { pathPattern } from './path-pattern.ts'
import type { Grouping } from './pattern-tree.ts'
import type { PatternYield, TrapVerdict, VisitYield } from './pattern-yield.ts'
import { slower, TRAP_LIMITS, type TrapLimits, type TreeLimits } from './trap-limits.ts'
import type { AliasGuard } from './url-alias-guard.ts'

/** Nodes of all hosts together; the least recently visited host is forgotten first. */
const MAX_NODES = 32_768
/** Repeated segments from which a URL is dropped at once: no real path with so many is known. */
const MAX_REPEATS = 32
/** Patterns to report at the end. */
const MAX_EXAMPLES = 100
/** Factor for the evidence that it takes to drop everything below a directory. */
const BELOW = 4

/** The result of a visited page. */
interface PageYield {
  readonly signals: TrapSignals
  /** Links from a seed. */
  readonly depth: number
  /** URLs to which the page linked first. */
  readonly discovered: readonly string[]
}

interface WatchedHost {
  readonly key: string
  readonly watch: HostWatch
}

/** A pattern that was dropped. */
export interface TrapExample {
  /** Host and path pattern. */
  readonly pattern: string
  /** The first URL that was dropped. */
  readonly example: string
  readonly dropped: number
}

/**
 * Recognizes endless URL spaces by how little new content their pages have.
 *
 * A pattern is a trap when its own pages link to its URLs and show nothing new, visit after visit. Pages with
 * content of their own are no trap, unless their paths deepen without end. Mazes of thousands of such pages are
 * deferred until their host has no other URLs.
 */
export class TrapGuard {
  readonly #limits: TreeLimits
  readonly #aliases: AliasGuard | undefined
  readonly #hosts = new Map<string, WatchedHost>()
  readonly #examples = new Map<string, { example: string; dropped: number }>()
  #latest: WatchedHost | undefined
  #nodes = 0

  constructor(limits: TrapLimits = TRAP_LIMITS, aliases?: AliasGuard) {
    this.#limits = { own: limits, below: slower(limits, BELOW) }
    this.#aliases = aliases
  }

  /** Returns whether to fetch, defer or drop a URL. To be called once per URL: `trap` counts it as dropped. */
  admit(url: string, host = hostKey(url)): TrapVerdict {
    const verdict = this.#aliases?.verdict(url, host) ?? 'go'
    if (verdict === 'trap' || repeatsTooOften(url)) {
      this.#note(`${host}${patternOf(url)}`, url)
      return 'trap'
    }
    return verdict === 'go' ? this.#admitByPattern(url, host) : verdict
  }

  #admitByPattern(url: string, host: string): TrapVerdict {
    if (this.#hosts.get(host)?.watch.isSuspect !== true) return 'go'
    const patterns = allOf(this.#groupingOf(url, host))
    const trap = patterns.find(({ verdict }) => verdict === 'trap')
    if (trap !== undefined) {
      this.#note(`${host}${trap.pattern}`, url)
      return 'trap'
    }
    return patterns.some(({ verdict }) => verdict === 'later') ? 'later' : 'go'
  }

  /**
   * Takes in a page that was read. Redirects and files don't count: redirects of a whole site come in a row, and
   * files have no links.
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
    // Such pages, error pages above all, may be many, but a trap needs new links.
    if (!hasNewContent && discovered.length === 0) return false
    const watch = this.#watchOf(host)
    const weight = watch.weigh(hasNewContent)
    if (weight === 0) return false
    const patterns = allOf(this.#groupingOf(url, host))
    const outside = this.#nameAll(discovered, patterns, weight)
    const counts = { weight, depth, hasNewContent, linkCount }
    const suspects = patterns.filter(({ verdict }) => verdict === 'later')
    report(patterns, { ...counts, discovered: discovered.length }, outside)
    watch.review(patterns)
    return suspects.some(({ verdict }) => verdict === 'go')
  }

  /** Returns the first patterns that were dropped. */
  examples(): TrapExample[] {
    return [...this.#examples].map(([pattern, rest]) => ({ pattern, ...rest }))
  }

  /**
   * Counts new URLs for their patterns.
   * @param by the patterns of the page that links to them
   * @returns for each of these the number of URLs of other patterns that are not dull
   */
  #nameAll(urls: readonly string[], by: readonly PatternYield[], weight: number): number[] {
    const isDull = by.some((pattern) => pattern.isDull)
    const outside = by.map(() => 0)
    for (const url of urls) {
      const patterns = this.#knownPatternsOf(url)
      const isNews = !patterns.some((pattern) => pattern.isDull)
      for (const pattern of patterns) pattern.named(isDull || by.includes(pattern), weight)
      if (!isNews) continue
      for (const [i, pattern] of by.entries()) {
        if (!patterns.includes(pattern)) outside[i] = (outside[i] ?? 0) + 1
      }
    }
    return outside
  }

  /** Returns the patterns of a URL; none if no page of its host was counted: most hosts are only linked to. */
  #knownPatternsOf(url: string): readonly PatternYield[] {
    const host = hostKey(url)
    return this.#hosts.get(host)?.watch.hasTree === true ? allOf(this.#groupingOf(url, host)) : []
  }

  #groupingOf(url: string, host: string): Grouping {
    const { tokens } = pathPattern(url)
    const { tree } = this.#watchOf(host)
    const before = tree.size
    const grouping = tree.find(tokens)
    this.#nodes += tree.size - before
    this.#forgetOldest()
    return grouping
  }

  /** Returns the watch of a host and moves it to the end of the map, whose first is the next to be forgotten. */
  #watchOf(key: string): HostWatch {
    if (this.#latest?.key === key) return this.#latest.watch
    const host = this.#hosts.get(key) ?? this.#newHost(key)
    this.#hosts.delete(key)
    this.#hosts.set(host.key, host)
    this.#latest = host
    return host.watch
  }

  #newHost(key: string): WatchedHost {
    const watch = new HostWatch(this.#limits)
    this.#nodes += watch.size
    this.#forgetOldest()
    // Cut from a URL, and that from a message of many.
    return { key: detachedCopy(key), watch }
  }

  #forgetOldest(): void {
    if (this.#nodes <= MAX_NODES) return
    for (const [key, { watch }] of this.#hosts) {
      if (this.#nodes <= MAX_NODES || this.#hosts.size === 1) return
      this.#hosts.delete(key)
      this.#nodes -= watch.size
    }
  }

  #note(pattern: string, url: string): void {
    const known = this.#examples.get(pattern)
    if (known !== undefined) known.dropped++
    else if (this.#examples.size < MAX_EXAMPLES)
      this.#examples.set(pattern, { example: url, dropped: 1 })
  }
}

function allOf({ own, above }: Grouping): readonly PatternYield[] {
  return [own, ...above]
}

/** Returns whether a URL has so many repeats that it comes from relative links gone wrong. */
function repeatsTooOften(url: string): boolean {
  let slashes = 0
  for (let at = url.indexOf('/'); at >= 0; at = url.indexOf('/', at + 1)) slashes++
  if (slashes < MAX_REPEATS - 1) return false
  const [path = ''] = url.split('?', 1)
  return pathPattern(path).repeats >= MAX_REPEATS
}

/** Returns the pattern to report for a single URL that is dropped; everything below a directory for repeats. */
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
    if (pattern.verdict !== 'go') return
  }
}
