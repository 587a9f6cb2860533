import { formatCount } from '../english-text.ts'
import { CrawlerError } from '../errors.ts'
import { randomHashKey } from '../hashing/half-siphash.ts'
import { memoryLimit } from '../runtime/process-limits.ts'
import { type DiskMark, revertTable } from './disk/disk-url-table.ts'
import { removeTemporaryFolder } from './disk/temporary-folder.ts'
import type { SeenName, SeenOptions, SeenPlan, SeenSet } from './seen-set.ts'
import { type Forgetting, LARGER, type SeenMemory, STRATEGIES } from './strategies.ts'

/** Returns whether a strategy grows as needed; the others need the number of URLs in advance. */
export function growsAsNeeded(name: SeenName): boolean {
  return STRATEGIES[name].grows
}

/** Returns advice for a set that contains more URLs than it was sized for. */
export function adviceWhenFull(name: SeenName): string {
  return STRATEGIES[name].adviceWhenFull ?? LARGER
}

/** Returns how a strategy forgets URLs. */
export function forgettingOf(name: SeenName): Forgetting {
  return STRATEGIES[name].forgets
}

/**
 * Returns the cost of a seen set with `urls` in it on a machine with that much memory. Sets of
 * fixed size are planned for `urls`; growing ones start with room for `expectedUrls`.
 */
export function planSeenSet(
  options: SeenOptions,
  urls: number,
  machineBytes = memoryLimit(),
): SeenPlan {
  const plan = STRATEGIES[options.name].plan(options, urls)
  if (plan.refusal !== undefined || plan.bytes <= machineBytes) return plan
  const refusal =
    `${formatCount(urls)} URLs take ${gibibytes(plan.bytes)} of memory with --seen ` +
    `${options.name}, and this machine has ${gibibytes(machineBytes)}.`
  return { ...plan, refusal }
}

/**
 * Allocates the shared memory of a new, empty seen set; the main thread does so once per crawl.
 * @throws CrawlerError('usage') when the size is impossible, naming the limit
 */
export function allocateSeenSet(options: SeenOptions): SeenMemory {
  const { refusal } = planSeenSet(options, options.expectedUrls)
  if (refusal !== undefined) {
    throw new CrawlerError('usage', `--expected-urls ${options.expectedUrls}: ${refusal}`)
  }
  try {
    return STRATEGIES[options.name].allocate(options, options.key ?? randomHashKey())
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const urls = formatCount(options.expectedUrls)
    const message = `There is not enough memory for a seen set of ${urls} URLs: lower --expected-urls.`
    throw new CrawlerError('usage', message, { cause })
  }
}

/**
 * Opens a thread's own handle. `owner` is 0 on the main thread, and a number that was never used
 * before on any other thread.
 */
export function openSeenSet<N extends SeenName>(memory: SeenMemory<N>, owner: number): SeenSet {
  return STRATEGIES[memory.name].open(memory, owner)
}

/** Returns whether a strategy stores URLs on disk. */
export function isOnDisk(name: SeenName): boolean {
  return STRATEGIES[name].mark !== undefined
}

/**
 * Returns a mark for the URLs on disk, which covers all URLs added so far; undefined if the set has
 * none on disk.
 */
export function markSeenSet<N extends SeenName>(memory: SeenMemory<N>): DiskMark | undefined {
  return STRATEGIES[memory.name].mark?.(memory)
}

/** Reverts the URLs on disk to a mark of an earlier process; false when that is impossible. */
export function revertSeenSet(memory: SeenMemory, mark: DiskMark | undefined): boolean {
  return !('disk' in memory) || (mark !== undefined && revertTable(memory.disk, mark))
}

/** Removes the temporary files of the set. */
export function discardSeenSet(memory: SeenMemory): void {
  if ('disk' in memory) removeTemporaryFolder(memory.disk.folder)
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toPrecision(3)} GiB`
}
