import type { HashKey } from '../../hashing/half-siphash.ts'
import { UrlHash } from '../../hashing/url-hash.ts'
import { Audit, type AuditMemory, allocateAudit, auditBytes } from '../audit.ts'
import { allocateLocking, type LockingMemory, LockingSeenSet } from '../locking-seen-set.ts'
import type { BeforeAdd, SeenOptions, SeenSet, SeenStats } from '../seen-set.ts'
import { STRIPE_LOCK_BYTES } from '../stripe-locks.ts'
import type { UrlFilter } from './url-filter.ts'

/**
 * Memory that every filter has in addition to its bits. It follows the bits in a snapshot: a URL
 * that the audit has and the filter lacks does no harm; the reverse would look like a mistake.
 */
export interface FilterMemory extends LockingMemory {
  /** Absent where URLs are forgotten with time: a lost URL looks like a forgotten one. */
  readonly audit?: AuditMemory
}

export function allocateFilter(options: SeenOptions, key: HashKey): FilterMemory {
  return {
    ...allocateLocking(key),
    ...(options.name !== 'bloom-aging' && { audit: allocateAudit(options) }),
  }
}

/** Returns the bytes that every filter takes in addition to its bits, after that many URLs. */
export function sharedFilterBytes(options: SeenOptions, urls: number): number {
  return STRIPE_LOCK_BYTES + (options.name === 'bloom-aging' ? 0 : auditBytes(options, urls))
}

/**
 * The URL-seen test with a filter. A URL that the filter knows costs one lookup and no lock. An
 * unknown one is added under the stripe lock of its hash: if two threads have the same URL, the
 * second one finds it added. Setting bits without the lock is not enough, since each of two threads
 * could flip a different one.
 */
export class FilterSeenSet<F extends UrlFilter = UrlFilter>
  extends LockingSeenSet
  implements SeenSet
{
  protected readonly filter: F
  protected readonly hash: UrlHash
  readonly #audit: Audit | undefined

  constructor(memory: FilterMemory, filter: F, owner: number) {
    super(memory, owner, () => filter.falsePositiveRate)
    const { key, audit } = memory
    this.filter = filter
    this.hash = new UrlHash(key)
    this.#audit = audit && new Audit(audit)
  }

  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[] {
    this.filter.refresh?.()
    const hashes = this.hash.ofAll(urls)
    const fresh = urls.map((_, place) => {
      const first = hashes[2 * place] ?? 0
      const second = hashes[2 * place + 1] ?? 0
      const audit = this.#audit?.isSampled(second) ? this.#audit : undefined
      if (this.#isKnown(first, second, audit)) return false
      return this.#claim(first, second, audit, place, beforeAdd)
    })
    this.counter.publish()
    return fresh
  }

  has(urls: readonly string[]): readonly boolean[] {
    this.filter.refresh?.()
    const hashes = this.hash.ofAll(urls)
    return urls.map((_, place) =>
      this.filter.has(hashes[2 * place] ?? 0, hashes[2 * place + 1] ?? 0),
    )
  }

  override release(owner: number): void {
    super.release(owner)
    this.filter.release?.(owner)
  }

  stats(): SeenStats {
    this.filter.refresh?.()
    return {
      added: this.counter.added,
      bytes: this.filter.bytes + (this.#audit?.bytes ?? 0) + this.lockingBytes,
      fill: this.filter.fill,
      falsePositiveRate: this.counter.rate,
      expectedLost: this.counter.expectedLost,
      ...(this.#audit && { audit: this.#audit.stats() }),
    }
  }

  /**
   * Returns whether a URL is known. The audit must know a sampled URL, too: if only the filter
   * knows it, another thread may be adding it right now.
   */
  #isKnown(first: number, second: number, audit: Audit | undefined): boolean {
    if (!this.filter.touch(first, second)) return false
    return audit === undefined || audit.has(first, second)
  }

  #claim(
    first: number,
    second: number,
    audit: Audit | undefined,
    place: number,
    beforeAdd: BeforeAdd | undefined,
  ): boolean {
    const isNew = this.locks.withLock(first, () => {
      if (beforeAdd !== undefined) {
        this.filter.refresh?.()
        if (!this.filter.has(first, second)) beforeAdd(place)
      }
      const isAdded = this.filter.add(first, second)
      audit?.record(first, second, isAdded)
      return isAdded
    })
    if (isNew) this.counter.count()
    return isNew
  }
}
