import {
  allocateDigestTable,
  type DigestLayout,
  DigestTable,
  digestTableSize,
} from './exact/digest-table.ts'
import type { AuditStats, SeenOptions } from './seen-set.ts'
import { MAX_LEVELS } from './shared-levels.ts'
import { fillDigest } from './url-digest.ts'

/**
 * Number of mistakes that a sample should contain at the configured rate. It estimates the rate
 * within 10 %.
 */
const TARGET_MISTAKES = 100
const MIN_SAMPLE = 4096
const MAX_SAMPLE = 2 ** 18
/**
 * Fraction of the expected URLs for which the first level has room. It costs 0.42 bits per expected
 * URL.
 */
const SAMPLE_SHARE = 1 / 256
const COUNTER = { fresh: 0, lost: 1 } as const
const COUNTER_BYTES = MAX_LEVELS * 2 * Int32Array.BYTES_PER_ELEMENT

export interface AuditMemory {
  readonly layout: DigestLayout
  /** The sample begins with one in 2^halvings URLs. */
  readonly halvings: number
  readonly table: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
}

export function allocateAudit(options: SeenOptions): AuditMemory {
  const layout = auditLayout(options)
  const counters = new SharedArrayBuffer(COUNTER_BYTES)
  return { layout, halvings: halvingsOf(options), table: allocateDigestTable(layout), counters }
}

/** Returns the bytes of an audit of that many URLs. */
export function auditBytes(options: SeenOptions, urls: number): number {
  const layout = auditLayout(options)
  const sampled = urls / 2 ** halvingsOf(options)
  // Each level has the same capacity and half the share of the one before, so it lasts for twice as
  // many URLs.
  const levels = Math.floor(Math.log2(sampled / layout.firstCapacity + 1)) + 1
  return digestTableSize(layout, layout.firstCapacity * levels - 1).bytes + COUNTER_BYTES
}

/**
 * Stores full hashes of a sample of the URLs, to find URLs that a filter takes for known ones by
 * mistake. Whenever a level of the table is full, the sample is halved. The remaining half has been
 * in the table from the beginning.
 */
export class Audit {
  readonly #table: DigestTable
  readonly #counters: Int32Array
  readonly #halvings: number
  readonly #hash = new Int32Array(2)
  /** Bits of the second hash word that are 0 in the sample. */
  #mask = 0

  constructor({ layout, halvings, table, counters }: AuditMemory) {
    this.#halvings = halvings
    this.#table = new DigestTable(table, layout)
    this.#counters = new Int32Array(counters)
    this.#halve()
  }

  get bytes(): number {
    return this.#table.bytes + COUNTER_BYTES
  }

  /**
   * Returns whether a URL is in the sample, by bits that hardly affect its position in the filter.
   */
  isSampled(second: number): boolean {
    return (second & this.#mask) === 0
  }

  has(first: number, second: number): boolean {
    fillDigest(this.#hash, first, second)
    return this.#table.has(this.#hash)
  }

  /** Records the outcome for a sampled URL; the caller holds the lock of its hash. */
  record(first: number, second: number, isNew: boolean): void {
    fillDigest(this.#hash, first, second)
    const level = this.#table.levels - 1
    const isFirst = this.#table.claim(this.#hash)
    if (isFirst) Atomics.add(this.#counters, 2 * level + (isNew ? COUNTER.fresh : COUNTER.lost), 1)
    this.#halve()
  }

  stats(): AuditStats {
    let [sampled, mistakes, urls, lost] = [0, 0, 0, 0]
    for (let level = 0; level < MAX_LEVELS; level++) {
      const freshHere = Atomics.load(this.#counters, 2 * level + COUNTER.fresh)
      const lostHere = Atomics.load(this.#counters, 2 * level + COUNTER.lost)
      sampled += freshHere + lostHere
      mistakes += lostHere
      urls += (freshHere + lostHere) * 2 ** level
      lost += lostHere * 2 ** level
    }
    const share = 2 ** (1 - this.#table.levels - this.#halvings)
    return { share, sampled, mistakes, lostShare: urls === 0 ? 0 : lost / urls }
  }

  #halve(): void {
    const bits = this.#halvings + this.#table.levels - 1
    this.#mask = bits < 31 ? (1 << bits) - 1 : -1
  }
}

function auditLayout({ falsePositiveRate, expectedUrls }: SeenOptions): DigestLayout {
  const wanted = Math.max(MIN_SAMPLE, Math.ceil(TARGET_MISTAKES / falsePositiveRate))
  const cheap = Math.ceil(expectedUrls * SAMPLE_SHARE)
  return { width: 2, firstCapacity: Math.max(cheap, Math.min(MAX_SAMPLE, wanted)), growth: 1 }
}

/**
 * Returns the halvings with which the expected URLs just fill the first level. A larger sample
 * would only cost time.
 */
function halvingsOf(options: SeenOptions): number {
  const excess = options.expectedUrls / auditLayout(options).firstCapacity
  return Math.max(0, Math.ceil(Math.log2(excess)))
}
