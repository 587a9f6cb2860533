import { CrawlerError } from '../errors.ts'
import { allocateBloom, type BloomMemory, BloomSeenSet } from './bloom.ts'
import { allocateExact, type ExactMemory, ExactSeenSet } from './exact.ts'
import { randomHashKey } from './half-siphash.ts'
import type { HashKey, SeenName, SeenOptions, SeenSet } from './seen-set.ts'

interface Memories {
  bloom: BloomMemory
  exact: ExactMemory
}

/** What all threads share of a seen set: a plain object that can be sent as workerData. */
export type SeenMemory<N extends SeenName = SeenName> = {
  [K in N]: Memories[K] & { readonly name: K }
}[N]

interface Kind<N extends SeenName> {
  allocate(options: SeenOptions, key: HashKey): SeenMemory<N>
  open(memory: SeenMemory<N>, owner: number): SeenSet
}

const kinds: { readonly [N in SeenName]: Kind<N> } = {
  bloom: { allocate: allocateBloom, open: (memory, owner) => new BloomSeenSet(memory, owner) },
  exact: { allocate: allocateExact, open: (memory, owner) => new ExactSeenSet(memory, owner) },
}

/**
 * The shared memory of a new, empty seen set; the main thread allocates it once per crawl.
 * @throws CrawlerError `usage` when the size is impossible, naming the limit
 */
export function allocateSeenSet(options: SeenOptions): SeenMemory {
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
