import type { RobotsRules } from '../../robots/parse.ts'
import type { HostStore } from '../storage/host-store.ts'
import type { KnownRobots } from '../storage/stored-host.ts'

/** Estimated bytes in memory of a rule with its index, and of each of its characters. */
const BYTES_PER_RULE = 400
const BYTES_PER_CHARACTER = 4
/** Maximum bytes of rules that a host keeps itself: most robots.txt files have less than 100 rules. */
const MAX_SMALL_BYTES = 2 ** 16
/** Maximum bytes of all large rules in memory. */
const MAX_BYTES = 2 ** 26

interface CachedRules {
  readonly host: number
  readonly known: KnownRobots
  readonly rules: RobotsRules
  readonly bytes: number
  readonly isStored: boolean
}

/**
 * The rules of large robots.txt files, by origin. All are in the database, but only the last used ones in memory:
 * there may be 5,000 hosts in memory, each with a file of 500 KiB.
 */
export class LargeRules {
  readonly #table: Pick<HostStore, 'robots' | 'putRobots'>
  readonly #maxBytes: number
  /** The least recently used rules are first. */
  readonly #cached = new Map<string, CachedRules>()
  #bytes = 0

  /** @param maxBytes maximum bytes of rules in memory */
  constructor(table: Pick<HostStore, 'robots' | 'putRobots'>, maxBytes: number = MAX_BYTES) {
    this.#table = table
    this.#maxBytes = maxBytes
  }

  /** Stores the rules of an origin if they are large. Otherwise returns false, and the host must keep them. */
  take(host: number, origin: string, known: KnownRobots): boolean {
    const rules = known.answer.access === 'rules' ? known.answer.rules : undefined
    const bytes = rules === undefined ? 0 : bytesOf(rules)
    if (rules === undefined || bytes <= MAX_SMALL_BYTES) {
      this.#drop(origin)
      return false
    }
    this.#keep(origin, { host, known, rules, bytes, isStored: false })
    return true
  }

  /** Returns the large rules of an origin, which were stored now or by an earlier run. */
  rulesOf(host: number, origin: string): RobotsRules | undefined {
    const cached = this.#cached.get(origin) ?? this.#load(host, origin)
    if (cached !== undefined) this.#keep(origin, cached)
    return cached?.rules
  }

  #load(host: number, origin: string): CachedRules | undefined {
    const known = this.#table.robots(origin)
    if (known?.answer.access !== 'rules') return undefined
    const { rules } = known.answer
    return { host, known, rules, bytes: bytesOf(rules), isStored: true }
  }

  /** Keeps rules in memory, and evicts the least recently used ones. The rules just added stay, however large. */
  #keep(origin: string, cached: CachedRules): void {
    this.#bytes += cached.bytes - (this.#cached.get(origin)?.bytes ?? 0)
    this.#cached.delete(origin)
    this.#cached.set(origin, cached)
    for (const [each, { host, known, isStored }] of this.#cached) {
      if (this.#bytes <= this.#maxBytes || each === origin) return
      if (!isStored) this.#table.putRobots(host, each, known)
      this.#drop(each)
    }
  }

  #drop(origin: string): void {
    this.#bytes -= this.#cached.get(origin)?.bytes ?? 0
    this.#cached.delete(origin)
  }
}

function bytesOf({ rules }: RobotsRules): number {
  const characters = rules.reduce((sum, { pattern }) => sum + pattern.length, 0)
  return BYTES_PER_RULE * rules.length + BYTES_PER_CHARACTER * characters
}
