import type { HashKey } from '../hashing/half-siphash.ts'
import { allocateBloom, BloomFilter, type BloomMemory, planBloom } from './bloom/bloom.ts'
import {
  AgingBloomFilter,
  type AgingMemory,
  allocateAging,
  planAging,
} from './bloom/bloom-aging.ts'
import {
  allocateCounting,
  CountingBloomFilter,
  type CountingMemory,
  CountingSeenSet,
  planCounting,
} from './bloom/bloom-counting.ts'
import {
  allocateGrowing,
  GrowingBloomFilter,
  type GrowingMemory,
  planGrowing,
} from './bloom/bloom-growing.ts'
import { FilterSeenSet } from './bloom/filter-seen-set.ts'
import type { DiskMark } from './disk/disk-url-table.ts'
import { HybridSeenSet } from './disk/hybrid.ts'
import { allocateHybrid, type HybridMemory, planHybrid } from './disk/hybrid-allocation.ts'
import { allocateSqlite, planSqlite, type SqliteMemory, SqliteSeenSet } from './disk/sqlite.ts'
import { allocateDigest, type DigestMemory, DigestSeenSet, planDigest } from './exact/digest.ts'
import { allocateExact, type ExactMemory, ExactSeenSet, planExact } from './exact/exact.ts'
import type { SeenName, SeenOptions, SeenPlan, SeenSet } from './seen-set.ts'

interface StrategyMemories {
  'bloom-growing': GrowingMemory
  bloom: BloomMemory
  'bloom-counting': CountingMemory
  'bloom-aging': AgingMemory
  digest: DigestMemory
  exact: ExactMemory
  sqlite: SqliteMemory
  hybrid: HybridMemory
}

/** Memory of a seen set that all threads share: a plain object that can be sent as workerData. */
export type SeenMemory<N extends SeenName = SeenName> = {
  [K in N]: StrategyMemories[K] & { readonly name: K }
}[N]

/** How a URL that was added can become new again: by `forget`, or by time. */
export type Forgetting = 'never' | 'on request' | 'by time'

/** A seen-set strategy. */
interface SeenStrategy<N extends SeenName> {
  /** True if the set starts with room for the expected URLs and grows when more are added. */
  readonly grows: boolean
  readonly forgets: Forgetting
  /**
   * Advice for a set with more URLs than it was sized for; a greater --expected-urls by default.
   */
  readonly adviceWhenFull?: string
  plan(options: SeenOptions, urls: number): SeenPlan
  allocate(options: SeenOptions, key: HashKey): SeenMemory<N>
  open(memory: SeenMemory<N>, owner: number): SeenSet
  /**
   * Returns the mark of the disk for a snapshot. Only strategies that store URLs on disk have it.
   */
  mark?(memory: SeenMemory<N>): DiskMark
}

/** Advice for a set that is too small. */
export const LARGER = 'crawl again with a greater --expected-urls'

/**
 * All strategies by name. A new one needs a file, a name in `SEEN_SET_NAMES`, and an entry here.
 */
export const STRATEGIES: { readonly [N in SeenName]: SeenStrategy<N> } = {
  'bloom-growing': {
    adviceWhenFull: 'it finds no memory to grow, so crawl again on a machine that has more',
    grows: true,
    forgets: 'never',
    plan: planGrowing,
    allocate: allocateGrowing,
    open: (memory, owner) => new FilterSeenSet(memory, new GrowingBloomFilter(memory), owner),
  },
  bloom: {
    adviceWhenFull: `${LARGER}, or with --seen bloom-growing`,
    grows: false,
    forgets: 'never',
    plan: planBloom,
    allocate: allocateBloom,
    open: (memory, owner) => new FilterSeenSet(memory, new BloomFilter(memory), owner),
  },
  'bloom-counting': {
    grows: false,
    forgets: 'on request',
    plan: planCounting,
    allocate: allocateCounting,
    open: (memory, owner) => new CountingSeenSet(memory, new CountingBloomFilter(memory), owner),
  },
  'bloom-aging': {
    adviceWhenFull: `${LARGER} or a shorter --forget-after`,
    grows: false,
    forgets: 'by time',
    plan: planAging,
    allocate: allocateAging,
    open: (memory, owner) => new FilterSeenSet(memory, new AgingBloomFilter(memory, owner), owner),
  },
  digest: {
    adviceWhenFull: 'crawl again with --seen exact, or with a longer --digest',
    grows: true,
    forgets: 'never',
    plan: planDigest,
    allocate: allocateDigest,
    open: (memory, owner) => new DigestSeenSet(memory, owner),
  },
  exact: {
    grows: false,
    forgets: 'on request',
    plan: planExact,
    allocate: allocateExact,
    open: (memory, owner) => new ExactSeenSet(memory, owner),
  },
  sqlite: {
    grows: true,
    forgets: 'on request',
    plan: planSqlite,
    allocate: allocateSqlite,
    open: (memory, owner) => new SqliteSeenSet(memory, owner),
    mark: (memory) => markOf(new SqliteSeenSet(memory, 0)),
  },
  hybrid: {
    grows: false,
    forgets: 'on request',
    plan: planHybrid,
    allocate: allocateHybrid,
    open: (memory, owner) => new HybridSeenSet(memory, owner),
    mark: (memory) => markOf(new HybridSeenSet(memory, 0)),
  },
}

/** Returns the mark of the disk for a snapshot that begins now. */
function markOf(seen: SqliteSeenSet | HybridSeenSet): DiskMark {
  try {
    return seen.mark()
  } finally {
    seen.close()
  }
}
