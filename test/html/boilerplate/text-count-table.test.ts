import { describe, expect, it } from 'vitest'
import { MAX_RARE, TextCountTable } from '../../../src/html/boilerplate/text-count-table.ts'
import { seededRandom } from '../../support/random.ts'

describe('the table of text counts', () => {
  it('counts how often a text was shown, up to a maximum', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    const counts = Array.from({ length: 40 }, () => table.count(7, 9))
    expect(counts).toEqual(counts.map((_, times) => Math.min(times, MAX_RARE + 1)))
  })

  it('is shared by all that use its memory', () => {
    const memory = TextCountTable.allocate()
    const [here, there] = [new TextCountTable(memory), new TextCountTable(memory)]
    for (let i = 0; i < 16; i++) {
      expect(here.count(7, 9)).toBe(2 * i)
      expect(there.count(7, 9)).toBe(2 * i + 1)
    }
    expect(here.count(7, 9)).toBeGreaterThan(MAX_RARE)
    expect(there.count(7, 9)).toBeGreaterThan(MAX_RARE)
    expect(there.key).toBe(here.key)
  })

  it('distinguishes texts that share one hash', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    for (let i = 0; i < 40; i++) table.count(7, 9)
    expect(table.count(7, 10)).toBe(0)
    expect(table.count(8, 9)).toBe(0)
  })

  it('remembers common texts among millions that occur once, and calls no other common', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    const next = seededRandom(11)
    const word = () => Math.floor(next() * 2 ** 32) | 0
    for (let i = 0; i < 40; i++) table.count(7, 9)
    let common = 0
    for (let i = 0; i < 2_000_000; i++) {
      if (table.count(word(), word()) > MAX_RARE) common++
      if (i % 1_000 === 0) table.count(7, 9)
    }
    expect(common).toBe(0)
    expect(table.count(7, 9)).toBeGreaterThan(MAX_RARE)
  })
})
