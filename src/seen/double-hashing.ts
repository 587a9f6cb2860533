const RANGE = 2 ** 32

/** Maps a 32-bit hash evenly to 0..size-1 by multiplication instead of division (Lemire 2019). */
export function mapToRange(hash: number, size: number): number {
  return Math.floor((hash >>> 0) * (size / RANGE))
}

/**
 * Fills `positions` with bit positions below `bits` by enhanced double hashing (Dillinger &
 * Manolios 2004, "Bloom Filters in Probabilistic Verification"): the step grows by 1, 2, 3 ..., so
 * that a step of 0, or one that divides `bits`, does not visit the same few bits again.
 *
 * All sums wrap at 32 bits and are compared as unsigned, which holds for every `bits` below 2^32
 * and compiles to integer instructions without jumps.
 */
export function fillPositions(
  positions: Uint32Array,
  first: number,
  second: number,
  bits: number,
): void {
  const turn = bits | 0
  let position = mapToRange(first, bits) | 0
  // The step, stored as its difference from `bits` (1 to `bits`): a borrow shows the overflow.
  let gap = (turn - mapToRange(second, bits)) | 0
  for (let index = 0; index < positions.length; index++) {
    positions[index] = position
    const before = position
    position = (position - gap) | 0
    if (before >>> 0 < gap >>> 0) position = (position + turn) | 0
    const growth = index + 1
    if (gap >>> 0 <= growth) gap = (gap + turn) | 0
    gap = (gap - growth) | 0
  }
}

/**
 * Returns whether all `count` positions of `fillPositions` are set in the bits of `words`. It reads
 * all positions without branching on the bits, so that cache misses overlap.
 */
export function areBitsSet(
  words: Int32Array,
  first: number,
  second: number,
  bits: number,
  count: number,
): boolean {
  const turn = bits | 0
  let position = mapToRange(first, bits) | 0
  let gap = (turn - mapToRange(second, bits)) | 0
  let all = (words[position >>> 5] ?? 0) >>> position
  for (let growth = 1; growth < count; growth++) {
    const before = position
    position = (position - gap) | 0
    if (before >>> 0 < gap >>> 0) position = (position + turn) | 0
    if (gap >>> 0 <= growth) gap = (gap + turn) | 0
    gap = (gap - growth) | 0
    all &= (words[position >>> 5] ?? 0) >>> position
  }
  return (all & 1) === 1
}
