import { describe, expect, it } from 'vitest'
import { NearIndex } from '../../src/duplicates/near-index.ts'
import { seededRandom } from '../support/random.ts'

const random = seededRandom(7)
const word = () => Math.floor(random() * 2 ** 32) | 0

/** Returns a hash with a number of random bits flipped. */
function flipped(hash: readonly [number, number], bits: number): [number, number] {
  const places = new Set<number>()
  while (places.size < bits) places.add(Math.floor(random() * 64))
  let [first, second] = hash
  for (const place of places) {
    if (place < 32) first ^= 1 << place
    else second ^= 1 << (place - 32)
  }
  return [first, second]
}

describe('the index of near-duplicates', () => {
  it('finds hashes that differ in up to three bits, anywhere, and no others', () => {
    const index = new NearIndex()
    const hashes = Array.from({ length: 20_000 }, (): [number, number] => [word(), word()])
    for (const [at, hash] of hashes.entries()) index.add(...hash, at + 1)
    for (const [at, hash] of hashes.entries()) {
      const bits = at % 8
      // Two of 20,000 random hashes differ in about 10 bits or more.
      expect(index.find(...flipped(hash, bits))).toBe(bits <= 3 ? at + 1 : undefined)
    }
  })

  it('returns the first of several, even if a later one is nearer', () => {
    const index = new NearIndex()
    index.add(0b11, 0, 5)
    index.add(0, 0b1, 4)
    expect(index.find(0, 0)).toBe(5)
    index.remove(0b11, 0, 5)
    index.remove(0b11, 0, 6)
    expect(index.find(0, 0)).toBe(4)
  })

  it('compares the latest 250 of those that share two blocks', () => {
    const index = new NearIndex()
    index.add(0, 0, 1)
    // A near hash: the differing bits are in all blocks but the first two.
    const query = [1 << 26, (1 << 7) | (1 << 20)] as const
    for (let id = 2; id <= 250; id++) index.add(-1 << 26, -1, id)
    expect(index.find(...query)).toBe(1)
    index.add(-1 << 26, -1, 251)
    expect(index.find(...query)).toBeUndefined()
    expect(index.find(0, 0)).toBe(1)
  })
})
