import type { RobotsRules } from '../../robots/parse.ts'
import type { HostStore, KnownRobots } from './host-store.ts'

/** Bytes, by a rough estimate, that a rule takes in memory with its index, and each character of it. */
const BYTES_PER_RULE = 400
const BYTES_PER_CHARACTER = 4
/** Bytes up to which a host keeps its rules itself: most files of robots.txt have less than 100 rules. */
const LIGHT = 2 ** 16
/** Bytes of all others that are in memory. */
const ROOM = 2 ** 27

interface Shelved {
  readonly host: number
  readonly known: KnownRobots
  readonly rules: RobotsRules
  readonly bytes: number
  readonly isStored: boolean
}

/**
 * Rules of large robots.txt files, by origin: all in the database, and those that were asked for last in
 * memory. Ten thousand hosts may be in memory, each with a file of 500 KiB.
 */
export class RuleShelf {
  readonly #store: HostStore
  readonly #room: number
  /** The one that was not asked for longest is first. */
  readonly #shelved = new Map<string, Shelved>()
  #bytes = 0

  /** @param room bytes of rules in memory */
  constructor(store: HostStore, room: number = ROOM) {
    this.#store = store
    this.#room = room
  }

  /** Takes what robots.txt of an origin says; false when that is little, and may stay where it is. */
  take(host: number, origin: string, known: KnownRobots): boolean {
    if (known.answer.access !== 'rules') return false
    const { rules } = known.answer
    const bytes = bytesOf(rules)
    if (bytes <= LIGHT) return false
    this.#keep(origin, { host, known, rules, bytes, isStored: false })
    return true
  }

  /** Returns the rules of an origin that were taken here, now or by an earlier run. */
  rulesOf(host: number, origin: string): RobotsRules | undefined {
    const shelved = this.#shelved.get(origin) ?? this.#load(host, origin)
    if (shelved !== undefined) this.#keep(origin, shelved)
    return shelved?.rules
  }

  #load(host: number, origin: string): Shelved | undefined {
    const known = this.#store.robots(origin)
    if (known?.answer.access !== 'rules') return undefined
    const { rules } = known.answer
    return { host, known, rules, bytes: bytesOf(rules), isStored: true }
  }

  /** The latest is never dropped, however large. */
  #keep(origin: string, shelved: Shelved): void {
    this.#bytes += shelved.bytes - (this.#shelved.get(origin)?.bytes ?? 0)
    this.#shelved.delete(origin)
    this.#shelved.set(origin, shelved)
    for (const [each, { host, known, bytes, isStored }] of this.#shelved) {
      if (this.#bytes <= this.#room || each === origin) return
      if (!isStored) this.#store.putRobots(host, each, known)
      this.#shelved.delete(each)
      this.#bytes -= bytes
    }
  }
}

function bytesOf({ rules }: RobotsRules): number {
  const characters = rules.reduce((sum, { pattern }) => sum + pattern.length, 0)
  return BYTES_PER_RULE * rules.length + BYTES_PER_CHARACTER * characters
}
