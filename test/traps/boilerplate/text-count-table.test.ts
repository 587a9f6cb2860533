import { describe, expect, it } from 'vitest'
import { TextCountTable } from '../../../src/traps/boilerplate/text-count-table.ts'
import { seededRandom } from '../../support/random.ts'

describe('the table of text counts', () => {
  it('takes what was shown a few times for rare, and what was shown often for common', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    const answers = Array.from({ length: 40 }, () => table.isRare(7, 9))
    expect(answers).toEqual(answers.map((_, times) => times < 32))
  })

  it('is one table for all who hold its memory', () => {
    const memory = TextCountTable.allocate()
    const [here, there] = [new TextCountTable(memory), new TextCountTable(memory)]
    for (let i = 0; i < 16; i++) expect(here.isRare(7, 9) && there.isRare(7, 9)).toBe(true)
    expect(here.isRare(7, 9)).toBe(false)
    expect(there.isRare(7, 9)).toBe(false)
    expect(there.key).toBe(here.key)
  })

  it('tells texts apart that have one hash in common', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    for (let i = 0; i < 40; i++) table.isRare(7, 9)
    expect(table.isRare(7, 10)).toBe(true)
    expect(table.isRare(8, 9)).toBe(true)
  })

  it('remembers the common among millions that are shown once, which all stay rare', () => {
    const table = new TextCountTable(TextCountTable.allocate())
    const next = seededRandom(11)
    const word = () => Math.floor(next() * 2 ** 32) | 0
    for (let i = 0; i < 40; i++) table.isRare(7, 9)
    let common = 0
    for (let i = 0; i < 2_000_000; i++) {
      if (!table.isRare(word(), word())) common++
      if (i % 1_000 === 0) table.isRare(7, 9)
    }
    expect(common).toBe(0)
    expect(table.isRare(7, 9)).toBe(false)
  })
})
