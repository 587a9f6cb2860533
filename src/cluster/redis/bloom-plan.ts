/** Bits of a block. */
const BLOCK_BITS = 512
/**
 * Maximum number of filters of a partition. The last one has room for half a million times as many URLs as the first.
 */
const GENERATIONS = 20

/** A filter, in the form that `scripts/seen-bloom.lua` expects. */
type BloomFilterPlan = readonly [urls: number, hashes: number, blocks: number]

/**
 * Plans the Bloom filters that are filled one after the other. Each has twice the room and half the false-positive rate
 * of the one before, so that all together lose at most `rate` of the new URLs.
 * @param urls number of URLs for which the first one has room
 */
export function planBlooms(urls: number, rate: number): BloomFilterPlan[] {
  return Array.from({ length: GENERATIONS }, (_, generation) => {
    const room = urls * 2 ** generation
    const share = rate / 2 ** (generation + 1)
    const hashes = Math.max(1, Math.round(-Math.log2(share)))
    return [room, hashes, Math.ceil(room / urlsPerBlock(share, hashes))]
  })
}

/** Returns the maximum number of URLs in a block, on average, at a false-positive rate. */
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
 * Returns the false-positive rate for an average number of URLs in a block. The numbers are Poisson distributed, and
 * full blocks raise the rate by more than empty ones lower it (Putze, Sanders & Singler 2007).
 */
function rateOf(mean: number, hashes: number): number {
  let [chance, sum] = [Math.exp(-mean), 0]
  for (let urls = 1; urls < mean + 12 * Math.sqrt(mean) + 12; urls++) {
    chance *= mean / urls
    sum += chance * (1 - (1 - 1 / BLOCK_BITS) ** (hashes * urls)) ** hashes
  }
  return sum
}
