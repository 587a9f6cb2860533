import type { PageReading } from '../messages/messages.ts'
import { hostKey } from '../url/host-key.ts'
import type { AliasGuard } from './alias-guard.ts'
import { HostWatch } from './host-watch.ts'
import { pathPattern } from './path-pattern.ts'
import type { Grouping } from './pattern-tree.ts'
import type { PatternYield, TrapVerdict, Yield } from './pattern-yield.ts'
import { slower, TRAP_LIMITS, type TrapLimits, type TreeLimits } from './trap-limits.ts'

/** Nodes of all hosts together; the host that was left alone for longest is forgotten first. */
const MAX_NODES = 32_768
/** Segments that repeat in a URL from which it is left at once: no real path of so many has been met. */
const MAX_REPEATS = 32
/** Patterns that are told of at the end. */
const MAX_EXAMPLES = 100
/** Times as much evidence as against one pattern that it takes against all below a directory. */
const BELOW = 4

/** What a visited page gave. */
interface PageYield extends PageReading {
  /** Links from a seed. */
  readonly depth: number
  /** URLs that the page was first to name. */
  readonly discovered: readonly string[]
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
 * Recognises URL spaces without end by how little that is new their pages give.
 *
 * A pattern is a trap when its pages name its URLs themselves and show nothing new, visit after
 * visit. Pages with content of their own are none, but for paths that deepen without end; mazes of
 * thousands of such pages wait until their host has nothing else.
 */
export class TrapGuard {
  readonly #limits: TreeLimits
  readonly #aliases: AliasGuard | undefined
  readonly #hosts = new Map<string, HostWatch>()
  readonly #examples = new Map<string, { example: string; dropped: number }>()
  #latest: { readonly key: string; readonly watch: HostWatch } | undefined
  #nodes = 0

  constructor(limits: TrapLimits = TRAP_LIMITS, aliases?: AliasGuard) {
    this.#limits = { own: limits, below: slower(limits, BELOW) }
    this.#aliases = aliases
  }

  /** To be asked once for each URL, when it is its turn; `trap` is counted as dropped. */
  admit(url: string, host = hostKey(url)): TrapVerdict {
    const verdict = this.#aliases?.verdict(url, host) ?? 'go'
    if (verdict === 'trap' || repeatsTooOften(url)) {
      this.#note(`${host}${patternOf(url)}`, url)
      return 'trap'
    }
    return verdict === 'go' ? this.#admitByPattern(url, host) : verdict
  }

  #admitByPattern(url: string, host: string): TrapVerdict {
    if (this.#hosts.get(host)?.isSuspect !== true) return 'go'
    const patterns = allOf(this.#groupingOf(url, host))
    const trap = patterns.find(({ verdict }) => verdict === 'trap')
    if (trap !== undefined) {
      this.#note(`${host}${trap.pattern}`, url)
      return 'trap'
    }
    return patterns.some(({ verdict }) => verdict === 'later') ? 'later' : 'go'
  }

  /**
   * A page was read. Nothing else tells of a pattern: redirects of a whole site come in a row, and
   * files lead nowhere.
   *
   * @returns whether something of the host's is trusted again that was to wait
   */
  visited(url: string, page: PageYield, host = hostKey(url)): boolean {
    const isTrusted = page.alias && this.#aliases?.visited(url, host, page.alias)
    return this.#learn(url, page, host) || isTrusted === true
  }

  #learn(url: string, { isFresh, depth, discovered, links }: PageYield, host: string): boolean {
    // Such pages, errors above all, may be many, but they lead nowhere: no trap is made of them.
    if (!isFresh && discovered.length === 0) return false
    const watch = this.#watchOf(host)
    const weight = watch.weigh(isFresh)
    if (weight === 0) return false
    const patterns = allOf(this.#groupingOf(url, host))
    const outside = this.#nameAll(discovered, patterns, weight)
    const counts = { weight, depth, isFresh, links }
    const suspects = patterns.filter(({ verdict }) => verdict === 'later')
    report(patterns, { ...counts, discovered: discovered.length }, outside)
    watch.review(patterns)
    return suspects.some(({ verdict }) => verdict === 'go')
  }

  /** Patterns that were dropped, as many as are kept, in the order they were found. */
  examples(): TrapExample[] {
    return [...this.#examples].map(([pattern, rest]) => ({ pattern, ...rest }))
  }

  /**
   * Notes by whom new URLs were named.
   * @returns for each of those patterns how many are news to it: of others, and not of dull ones
   */
  #nameAll(urls: readonly string[], by: readonly PatternYield[], weight: number): number[] {
    const isDull = by.some((pattern) => pattern.isDull)
    const outside = by.map(() => 0)
    for (const url of urls) {
      const patterns = allOf(this.#groupingOf(url, hostKey(url)))
      const isNews = !patterns.some((pattern) => pattern.isDull)
      for (const pattern of patterns) pattern.named(isDull || by.includes(pattern), weight)
      if (!isNews) continue
      for (const [i, pattern] of by.entries()) {
        if (!patterns.includes(pattern)) outside[i] = (outside[i] ?? 0) + 1
      }
    }
    return outside
  }

  #groupingOf(url: string, host: string): Grouping {
    const { tokens } = pathPattern(url)
    const { tree } = this.#watchOf(host)
    const before = tree.size
    const grouping = tree.find(tokens)
    this.#nodes += tree.size - before
    if (this.#nodes > MAX_NODES) this.#forgetOldest()
    return grouping
  }

  /** Moves the host to the end of the map: the first is the one to forget. */
  #watchOf(key: string): HostWatch {
    if (this.#latest?.key === key) return this.#latest.watch
    const known = this.#hosts.get(key)
    const watch = known ?? new HostWatch(this.#limits)
    if (known === undefined) this.#nodes += watch.tree.size
    else this.#hosts.delete(key)
    this.#hosts.set(key, watch)
    this.#latest = { key, watch }
    return watch
  }

  #forgetOldest(): void {
    for (const [key, { tree }] of this.#hosts) {
      if (this.#nodes <= MAX_NODES || this.#hosts.size === 1) return
      this.#hosts.delete(key)
      this.#nodes -= tree.size
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

/** Relative links gone wrong, whatever their pages show. */
function repeatsTooOften(url: string): boolean {
  if (url.split('/', MAX_REPEATS).length < MAX_REPEATS) return false
  const [path = ''] = url.split('?', 1)
  return pathPattern(path).repeats >= MAX_REPEATS
}

/** The pattern of a URL that is left by itself; all below a directory, where segments repeat. */
function patternOf(url: string): string {
  const { tokens, repeats } = pathPattern(url)
  if (repeats > 0) return `/${tokens[0]}/...`
  return tokens.map((token) => (token.startsWith('?') ? token : `/${token}`)).join('')
}

/** What holds a pattern that is suspected is judged by the rest that it holds. */
function report(
  patterns: readonly PatternYield[],
  counts: Omit<Yield, 'outside'>,
  outside: readonly number[],
): void {
  for (const [index, pattern] of patterns.entries()) {
    pattern.visited({ ...counts, outside: outside[index] ?? 0 })
    if (pattern.verdict !== 'go') return
  }
}
