import type { HashKey } from '../../hashing/half-siphash.ts'
import { ADDED_COUNTER_BYTES } from '../added-counter.ts'
import { allocateLocking, type LockingMemory, LockingSeenSet } from '../locking-seen-set.ts'
import type { BeforeAdd, ForgettingSeenSet, SeenOptions, SeenPlan, SeenStats } from '../seen-set.ts'
import { STRIPE_LOCK_BYTES } from '../stripe-locks.ts'
import { allocateDiskTable, type DiskTableMemory, planDiskTable } from './disk-allocation.ts'
import { type DiskMark, DiskUrlTable } from './disk-url-table.ts'

/** Bytes that SQLite can store in a database. */
const MAX_DATABASE_BYTES = 2 ** 48
/** Hash of the only lock. */
const WRITER = 0

export interface SqliteMemory extends LockingMemory {
  readonly name: 'sqlite'
  readonly disk: DiskTableMemory
}

/**
 * @param key stored for other code that reads it from the crawl's seen set; the table itself
 * compares whole URLs
 */
export function allocateSqlite(options: SeenOptions, key: HashKey): SqliteMemory {
  return { name: 'sqlite', disk: allocateDiskTable(options), ...allocateLocking(key) }
}

export function planSqlite(options: SeenOptions, urls: number): SeenPlan {
  return {
    bytes: STRIPE_LOCK_BYTES + ADDED_COUNTER_BYTES,
    expectedLost: 0,
    ...planDiskTable(options, urls),
  }
}

/**
 * A UNIQUE column in a database. All threads look up URLs, and one thread at a time inserts missing
 * ones.
 */
export class SqliteSeenSet extends LockingSeenSet implements ForgettingSeenSet {
  readonly #table: DiskUrlTable

  constructor(memory: SqliteMemory, owner: number) {
    super(memory, owner)
    this.#table = new DiskUrlTable(memory.disk)
  }

  /** @throws CrawlerError('output') when the disk is full */
  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[] {
    const isNew = urls.map((url) => !this.#table.has(url))
    const unknown = urls.filter((_, index) => isNew[index])
    if (unknown.length === 0) return isNew
    for (const [place, isUnknown] of isNew.entries()) if (isUnknown) beforeAdd?.(place)
    // Other threads may have inserted some meanwhile, and a URL may occur twice.
    const inserted = this.locks.withLock(WRITER, () => this.#table.insert(unknown)).values()
    const answers = isNew.map((isUnknown) => isUnknown && inserted.next().value === true)
    for (const isAdded of answers) if (isAdded) this.counter.count()
    this.counter.publish()
    return answers
  }

  has(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => this.#table.has(url))
  }

  forget(urls: readonly string[]): readonly boolean[] {
    return this.locks.withLock(WRITER, () => this.#table.remove(urls))
  }

  mark(): DiskMark {
    return this.locks.withLock(WRITER, () => this.#table.mark())
  }

  close(): void {
    this.#table.close()
  }

  stats(): SeenStats {
    const diskBytes = this.#table.bytes
    return {
      added: this.counter.added,
      bytes: this.lockingBytes,
      diskBytes,
      fill: diskBytes / MAX_DATABASE_BYTES,
      falsePositiveRate: 0,
      expectedLost: 0,
    }
  }
}
