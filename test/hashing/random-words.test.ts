import { expect, it } from 'vitest'
import { randomWords } from '../../src/hashing/random-words.ts'

it('random words differ, and all of their bits vary', () => {
  const words = randomWords(1_000)
  expect(new Set(words).size).toBeGreaterThan(990)
  expect(words.reduce((all, word) => all | word)).toBe(-1)
  expect(words.reduce((all, word) => all & word)).toBe(0)
  expect(randomWords(4)).not.toEqual(randomWords(4))
})
