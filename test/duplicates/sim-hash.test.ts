import { expect, it } from 'vitest'
import { SimHash } from '../../src/duplicates/sim-hash.ts'

const simHash = new SimHash([1, 2])
const text = Array.from({ length: 400 }, (_, index) => `word${(index * 7919) % 1_009}`)

function distance(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one, other].map((words) => BigInt(`0x${simHash.of(words)}`))
  return ((a ?? 0n) ^ (b ?? 0n)).toString(2).replaceAll('0', '').length
}

it('the hash of a text is 64 bits in hexadecimal, and undefined without words', () => {
  expect(simHash.of(text)).toMatch(/^[0-9a-f]{16}$/)
  expect(simHash.of([])).toBeUndefined()
})

it('the hash of a text is the same for the same words, and differs with the key', () => {
  expect(simHash.of([...text])).toBe(simHash.of(text))
  expect(new SimHash([1, 3]).of(text)).not.toBe(simHash.of(text))
})

it('the hash of a text changes in few bits if few words change, and in half if all do', () => {
  const one = text.with(200, 'other')
  const half = text.map((word, index) => (index < 200 ? word : `${word}x`))
  expect(distance(text, one)).toBeLessThanOrEqual(6)
  expect(distance(text, half)).toBeGreaterThan(distance(text, one))
  const all = Array.from({ length: 50 }, (_, n) =>
    distance(
      text,
      text.map((word) => word + n),
    ),
  )
  const mean = all.reduce((sum, each) => sum + each) / all.length
  // 32, with a standard error of 0.57.
  expect(Math.abs(mean - 32)).toBeLessThan(3)
})

it('the hash of a text depends on the order of words, also in texts shorter than a shingle', () => {
  expect(distance(text, text.toReversed())).toBeGreaterThan(10)
  expect(distance(['a', 'b'], ['b', 'a'])).toBeGreaterThan(10)
  expect(distance(['a'], ['b'])).toBeGreaterThan(10)
})
