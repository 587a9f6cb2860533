/** Maximum number of bits in which the SimHashes of near duplicates differ (Manku et al. 2007). */
const MAX_DISTANCE = 3
/** All pairs of the five blocks of a hash. Hashes that differ in at most three bits have two equal blocks. */
const PAIRS = [0, 1, 2, 3].flatMap((one) =>
  [1, 2, 3, 4].filter((other) => other > one).map((other): [number, number] => [one, other]),
)
const TABLES = PAIRS.length
/** Maximum entries to compare in each table: a site whose pages are all similar could have many in one bucket. */
const MAX_LOOKS = 250
const LEAST_ROOM = 1_024
const NONE = 0
/** The id of a removed entry. */
const REMOVED = 0

/**
 * An index in memory that finds a 64-bit SimHash which differs in at most three bits: Manku, Jain and
 * Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007. It has a table for each pair of
 * five blocks of 12 or 13 bits. A hash is two words of 32 bits. An entry takes 76 to 152 bytes.
 */
export class NearIndex {
  /** The last entry of each bucket, by table. Entries are numbered from 1. */
  #heads = new Int32Array(0)
  /** The entry before each entry in its bucket, by table. */
  #nexts = new Int32Array(0)
  #hashes = new Int32Array(0)
  #ids = new Float64Array(0)
  #size = 0
  /** Buckets of each table, a power of two. */
  #buckets = 0
  readonly #blocks = new Int32Array(5)

  /** Adds a hash. @param id not 0 */
  add(first: number, second: number, id: number): void {
    if (this.#size + 1 >= this.#ids.length) this.#makeRoom()
    const entry = ++this.#size
    this.#hashes[2 * entry] = first
    this.#hashes[2 * entry + 1] = second
    this.#ids[entry] = id
    this.#link(entry)
  }

  /**
   * Returns the id of the near entry that was added first. If more than 250 entries share two blocks, only the latest
   * 250 are compared.
   */
  find(first: number, second: number): number | undefined {
    if (this.#size === 0) return undefined
    let found = NONE
    this.#split(first, second)
    for (let table = 0; table < TABLES; table++) {
      let entry = this.#followed(this.#heads, this.#bucketIn(table), table)
      for (let looks = 0; entry !== NONE && looks < MAX_LOOKS; looks++) {
        const isEarlier = found === NONE || entry < found
        if (isEarlier && this.#isNear(entry, first, second)) found = entry
        entry = this.#followed(this.#nexts, TABLES * entry + table, table)
      }
    }
    return found === NONE ? undefined : this.#ids[found]
  }

  /** Removes the entry with this hash and id, if there is one. */
  remove(first: number, second: number, id: number): void {
    if (this.#size === 0) return
    this.#split(first, second)
    let entry = this.#followed(this.#heads, this.#bucketIn(0), 0)
    while (entry !== NONE && this.#ids[entry] !== id) {
      entry = this.#followed(this.#nexts, TABLES * entry, 0)
    }
    if (entry !== NONE) this.#ids[entry] = REMOVED
  }

  /** Returns the entry that a link leads to. Takes removed entries out of the bucket on the way. */
  #followed(links: Int32Array, at: number, table: number): number {
    let entry = links[at] ?? NONE
    while (entry !== NONE && this.#ids[entry] === REMOVED) {
      entry = this.#nexts[TABLES * entry + table] ?? NONE
      links[at] = entry
    }
    return entry
  }

  #link(entry: number): void {
    this.#split(this.#hashes[2 * entry] ?? 0, this.#hashes[2 * entry + 1] ?? 0)
    for (let table = 0; table < TABLES; table++) {
      const bucket = this.#bucketIn(table)
      this.#nexts[TABLES * entry + table] = this.#heads[bucket] ?? NONE
      this.#heads[bucket] = entry
    }
  }

  /** Splits a hash into the blocks that `bucketIn` uses. */
  #split(first: number, second: number): void {
    const blocks = this.#blocks
    blocks[0] = first & 0x1fff
    blocks[1] = (first >>> 13) & 0x1fff
    blocks[2] = (first >>> 26) | ((second & 0x7f) << 6)
    blocks[3] = (second >>> 7) & 0x1fff
    blocks[4] = second >>> 20
  }

  #bucketIn(table: number): number {
    const [one, other] = PAIRS[table] ?? [0, 0]
    const key = ((this.#blocks[one] ?? 0) << 13) | (this.#blocks[other] ?? 0)
    const mix = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d)
    return table * this.#buckets + ((mix ^ (mix >>> 15)) & (this.#buckets - 1))
  }

  #isNear(entry: number, first: number, second: number): boolean {
    const difference = bitsIn((this.#hashes[2 * entry] ?? 0) ^ first)
    if (difference > MAX_DISTANCE) return false
    return difference + bitsIn((this.#hashes[2 * entry + 1] ?? 0) ^ second) <= MAX_DISTANCE
  }

  /** Drops removed entries. If more than half of the room is in use, doubles it. */
  #makeRoom(): void {
    const [hashes, ids] = [this.#hashes, this.#ids]
    const live = ids.filter((id) => id !== REMOVED).length
    const room = Math.max(LEAST_ROOM, 2 * live > ids.length ? 2 * ids.length : ids.length)
    this.#buckets = room / 2
    this.#heads = new Int32Array(TABLES * this.#buckets)
    this.#nexts = new Int32Array(TABLES * room)
    this.#hashes = new Int32Array(2 * room)
    this.#ids = new Float64Array(room)
    this.#size = 0
    for (const [entry, id] of ids.entries()) {
      if (id !== REMOVED) this.add(hashes[2 * entry] ?? 0, hashes[2 * entry + 1] ?? 0, id)
    }
  }
}

/** Counts the bits set in 32 (Hacker's Delight, 5-1). */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
