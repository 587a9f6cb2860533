/** Bits of a block. */
const BLOCK_BITS = 512
/** Filters that may follow each other: the last one has room for half a million times the first one's URLs. */
const GENERATIONS = 20

/** A filter as `scripts/seen-bloom.lua` takes it. */
export type BloomFilterPlan = readonly [urls: number, hashes: number, blocks: number]

/**
 * The Bloom filters that follow each other as URLs come: each with twice the room and half the rate of
 * the one before, so that all together lose at most `rate` of the new URLs.
 * @param urls that the first one has room for
 */
export function planBlooms(urls: number, rate: number): BloomFilterPlan[] {
  return Array.from({ length: GENERATIONS }, (_, generation) => {
    const room = urls * 2 ** generation
    const share = rate / 2 ** (generation + 1)
    const hashes = Math.max(1, Math.round(-Math.log2(share)))
    return [room, hashes, Math.ceil(room / urlsPerBlock(share, hashes))]
  })
}

/** How many URLs a block may hold on average. */
function urlsPerBlock(rate: number, hashes: number): number {
  let [few, many] = [0, BLOCK_BITS]
  for (let step = 0; step < 40; step++) {
    const middle = (few + many) / 2
    if (rateOf(middle, hashes) > rate) many = middle
    else few = middle
  }
  return Math.max(few, 1e-3)
}

/**
 * False-positive rate where blocks hold so many URLs on average: their numbers are Poisson distributed,
 * and a full block is more often mistaken than an empty one is not (Putze, Sanders & Singler 2007).
 */
function rateOf(mean: number, hashes: number): number {
  let [chance, sum] = [Math.exp(-mean), 0]
  for (let urls = 1; urls < mean + 12 * Math.sqrt(mean) + 12; urls++) {
    chance *= mean / urls
    sum += chance * (1 - (1 - 1 / BLOCK_BITS) ** (hashes * urls)) ** hashes
  }
  return sum
}
