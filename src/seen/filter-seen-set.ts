import { Audit, type AuditMemory, allocateAudit, bytesOfAudit } from './audit.ts'
import { UrlHash } from './fingerprint.ts'
import type { HashKey, SeenOptions, SeenSet, SeenStats } from './seen-set.ts'
import { allocateStripeLocks, lockBytes, StripeLocks } from './stripe-locks.ts'
import { allocateTallies, Tallies } from './tallies.ts'
import type { UrlFilter } from './url-filter.ts'

/**
 * What all filters share, beside their bits. It comes behind them in a memory, and so in a snapshot: a
 * URL that the audit has and the filter hasn't does no harm; the reverse would look like a mistake.
 */
export interface FilterMemory {
  readonly key: HashKey
  readonly locks: SharedArrayBuffer
  readonly tallies: SharedArrayBuffer
  /** Absent where URLs are forgotten with time: what was lost can't be told from what was forgotten. */
  readonly audit?: AuditMemory
}

export function allocateFilter(options: SeenOptions, key: HashKey): FilterMemory {
  return {
    key,
    locks: allocateStripeLocks(),
    tallies: allocateTallies(),
    ...(options.name !== 'bloom-aging' && { audit: allocateAudit(options) }),
  }
}

/** Bytes of what all filters have beside their bits, once so many URLs were met. */
export function bytesBeside(options: SeenOptions, urls: number): number {
  return lockBytes + (options.name === 'bloom-aging' ? 0 : bytesOfAudit(options, urls))
}

/**
 * The URL-seen test by a filter. A URL that the filter knows costs a look at it and no lock. One that
 * it doesn't know is added under the stripe lock that its hash chooses: two threads with one URL
 * meet there, and the second finds it added. Setting bits without the lock is not enough, since each
 * of two threads could flip a different one.
 */
export class FilterSeenSet<F extends UrlFilter = UrlFilter> implements SeenSet {
  protected readonly filter: F
  protected readonly hash: UrlHash
  protected readonly locks: StripeLocks
  readonly #audit: Audit | undefined
  readonly #tallies: Tallies
  readonly #fixedBytes: number

  constructor(memory: FilterMemory, filter: F, owner: number) {
    const { key, locks, tallies, audit } = memory
    this.filter = filter
    this.hash = new UrlHash(key)
    this.locks = new StripeLocks(locks, owner)
    this.#audit = audit && new Audit(audit)
    this.#tallies = new Tallies(tallies, () => filter.rate)
    this.#fixedBytes = locks.byteLength + tallies.byteLength
  }

  addIfNew(urls: readonly string[]): readonly boolean[] {
    this.filter.refresh()
    const hashes = this.hash.ofAll(urls)
    const fresh = urls.map((_, place) =>
      this.#claim(hashes[2 * place] ?? 0, hashes[2 * place + 1] ?? 0),
    )
    this.#tallies.publish()
    return fresh
  }

  has(urls: readonly string[]): readonly boolean[] {
    this.filter.refresh()
    const hashes = this.hash.ofAll(urls)
    return urls.map((_, place) =>
      this.filter.has(hashes[2 * place] ?? 0, hashes[2 * place + 1] ?? 0),
    )
  }

  release(owner: number): void {
    this.locks.release(owner)
    this.filter.release(owner)
  }

  stats(): SeenStats {
    this.filter.refresh()
    return {
      added: this.#tallies.added,
      bytes: this.filter.bytes + (this.#audit?.bytes ?? 0) + this.#fixedBytes,
      fill: this.filter.fill,
      falsePositiveRate: this.filter.rate,
      expectedLost: this.#tallies.expectedLost,
      ...(this.#audit && { audit: this.#audit.stats() }),
    }
  }

  #claim(first: number, second: number): boolean {
    const audit = this.#audit?.samples(second) ? this.#audit : undefined
    if (this.filter.meet(first, second)) {
      // A sampled URL that only the filter knows may be one that is being added right now.
      if (audit === undefined || audit.has(first, second)) return false
    }
    return this.#claimLocked(first, second, audit)
  }

  #claimLocked(first: number, second: number, audit: Audit | undefined): boolean {
    this.locks.lock(first)
    const isNew = this.filter.add(first, second)
    audit?.note(first, second, isNew)
    this.locks.unlock(first)
    if (isNew) this.#tallies.count()
    return isNew
  }
}
