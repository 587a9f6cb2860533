import { CrawlerError } from '../errors.ts'
import { allocateBloom, BloomFilter, type BloomMemory, planBloom } from './bloom.ts'
import { AgingBloomFilter, type AgingMemory, allocateAging, planAging } from './bloom-aging.ts'
import {
  allocateCounting,
  CountingBloomFilter,
  type CountingMemory,
  CountingSeenSet,
  planCounting,
} from './bloom-counting.ts'
import {
  allocateGrowing,
  GrowingBloomFilter,
  type GrowingMemory,
  planGrowing,
} from './bloom-growing.ts'
import { allocateDigest, type DigestMemory, DigestSeenSet, planDigest } from './digest.ts'
import { HybridSeenSet, markHybrid } from './disk/hybrid.ts'
import { allocateHybrid, type HybridMemory, planHybrid } from './disk/hybrid-memory.ts'
import {
  allocateSqlite,
  markSqlite,
  planSqlite,
  type SqliteMemory,
  SqliteSeenSet,
} from './disk/sqlite.ts'
import { removeTemporaryFolder } from './disk/temporary-folder.ts'
import { revertTable, type UrlTableMark } from './disk/url-table.ts'
import { allocateExact, type ExactMemory, ExactSeenSet, planExact } from './exact.ts'
import { FilterSeenSet } from './filter-seen-set.ts'
import { memoryLimit } from './growable.ts'
import { randomHashKey } from './half-siphash.ts'
import type { HashKey, SeenName, SeenOptions, SeenPlan, SeenSet } from './seen-set.ts'

interface Memories {
  'bloom-growing': GrowingMemory
  bloom: BloomMemory
  'bloom-counting': CountingMemory
  'bloom-aging': AgingMemory
  digest: DigestMemory
  exact: ExactMemory
  sqlite: SqliteMemory
  hybrid: HybridMemory
}

/** What all threads share of a seen set: a plain object that can be sent as workerData. */
export type SeenMemory<N extends SeenName = SeenName> = {
  [K in N]: Memories[K] & { readonly name: K }
}[N]

interface Kind<N extends SeenName> {
  readonly name: N
  /** Whether it begins with room for the expected URLs, and takes more as they come. */
  readonly grows: boolean
  plan(options: SeenOptions, urls: number): SeenPlan
  allocate(options: SeenOptions, key: HashKey): SeenMemory<N>
  open(memory: SeenMemory<N>, owner: number): SeenSet
  /** Where the disk stands when a snapshot is begun; for those who have URLs there. */
  mark?(memory: SeenMemory<N>): UrlTableMark
}

/** A further strategy is a file, a name in SEEN_NAMES, and a line here. */
const kinds: { readonly [N in SeenName]: Kind<N> } = {
  'bloom-growing': {
    name: 'bloom-growing',
    grows: true,
    plan: planGrowing,
    allocate: allocateGrowing,
    open: (memory, owner) => new FilterSeenSet(memory, new GrowingBloomFilter(memory), owner),
  },
  bloom: {
    name: 'bloom',
    grows: false,
    plan: planBloom,
    allocate: allocateBloom,
    open: (memory, owner) => new FilterSeenSet(memory, new BloomFilter(memory), owner),
  },
  'bloom-counting': {
    name: 'bloom-counting',
    grows: false,
    plan: planCounting,
    allocate: allocateCounting,
    open: (memory, owner) => new CountingSeenSet(memory, new CountingBloomFilter(memory), owner),
  },
  'bloom-aging': {
    name: 'bloom-aging',
    grows: false,
    plan: planAging,
    allocate: allocateAging,
    open: (memory, owner) => new FilterSeenSet(memory, new AgingBloomFilter(memory, owner), owner),
  },
  digest: {
    name: 'digest',
    grows: true,
    plan: planDigest,
    allocate: allocateDigest,
    open: (memory) => new DigestSeenSet(memory),
  },
  exact: {
    name: 'exact',
    grows: false,
    plan: planExact,
    allocate: allocateExact,
    open: (memory, owner) => new ExactSeenSet(memory, owner),
  },
  sqlite: {
    name: 'sqlite',
    grows: true,
    plan: planSqlite,
    allocate: allocateSqlite,
    open: (memory, owner) => new SqliteSeenSet(memory, owner),
    mark: markSqlite,
  },
  hybrid: {
    name: 'hybrid',
    grows: false,
    plan: planHybrid,
    allocate: allocateHybrid,
    open: (memory, owner) => new HybridSeenSet(memory, owner),
    mark: markHybrid,
  },
}

/** Every strategy; the first one is the default. */
export const SEEN_NAMES: readonly SeenName[] = Object.values(kinds).map(({ name }) => name)

/** Whether a strategy is sized as it goes: the others have to be told how many URLs will come. */
export function growsByItself(name: SeenName): boolean {
  return kinds[name].grows
}

/**
 * What a seen set costs once `urls` are in, on a machine with so many bytes of memory. Those of fixed
 * size are planned for `urls`; those that grow begin with room for `expectedUrls`.
 */
export function planSeenSet(
  options: SeenOptions,
  urls: number,
  machineBytes = memoryLimit(),
): SeenPlan {
  const plan = kinds[options.name].plan(options, urls)
  if (plan.refusal !== undefined || plan.bytes <= machineBytes) return plan
  const refusal =
    `${urls.toLocaleString('en')} URLs take ${gibibytes(plan.bytes)} of memory with --seen ` +
    `${options.name}, and this machine has ${gibibytes(machineBytes)}.`
  return { ...plan, refusal }
}

/**
 * The shared memory of a new, empty seen set; the main thread allocates it once per crawl.
 * @throws CrawlerError `usage` when the size is impossible, naming the limit
 */
export function allocateSeenSet(options: SeenOptions): SeenMemory {
  const { refusal } = planSeenSet(options, options.expectedUrls)
  if (refusal !== undefined) throw new CrawlerError('usage', refusal)
  try {
    return kinds[options.name].allocate(options, options.key ?? randomHashKey())
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const urls = options.expectedUrls.toLocaleString('en')
    const message = `There is not enough memory for a seen set of ${urls} URLs: lower --expected-urls.`
    throw new CrawlerError('usage', message, { cause })
  }
}

/** A thread's own handle; `owner` is 0 on the main thread, and a number never used before elsewhere. */
export function openSeenSet<N extends SeenName>(memory: SeenMemory<N>, owner: number): SeenSet {
  return kinds[memory.name].open(memory, owner)
}

/** Whether a strategy keeps URLs on disk. */
export function isOnDisk(name: SeenName): boolean {
  return kinds[name].mark !== undefined
}

/** Where its URLs on disk stand, all that were added before included; undefined without any. */
export function markSeenSet<N extends SeenName>(memory: SeenMemory<N>): UrlTableMark | undefined {
  return kinds[memory.name].mark?.(memory)
}

/** Takes the URLs on disk back to a mark of an earlier process; false when they can't be. */
export function revertSeenSet(memory: SeenMemory, mark: UrlTableMark | undefined): boolean {
  return !('disk' in memory) || (mark !== undefined && revertTable(memory.disk, mark))
}

/** Removes what the set has in temporary files. */
export function discardSeenSet(memory: SeenMemory): void {
  if ('disk' in memory) removeTemporaryFolder(memory.disk.folder)
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toPrecision(3)} GiB`
}
