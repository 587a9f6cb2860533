import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocateDigestTable, DigestTable } from '../../../src/seen/exact/digest-table.ts'

const layout = { width: 3, firstCapacity: 12, growth: 2 }

function open(memory = allocateDigestTable(layout)) {
  return { memory, table: new DigestTable(memory, layout) }
}

describe('a table of digests', () => {
  it('reports each digest as new once, for any handle, like a Set', () => {
    const word = fc.integer({ min: 1, max: 3 })
    const digests = fc.array(fc.tuple(word, word, word), { maxLength: 100 })
    fc.assert(
      fc.property(digests, (list) => {
        const { memory, table } = open()
        const tables = [table, new DigestTable(memory, layout)]
        const model = new Set<string>()
        for (const [turn, digest] of list.entries()) {
          const words = Int32Array.from(digest)
          const isNew = !model.has(words.join())
          expect(table.has(words)).toBe(!isNew)
          expect(tables[turn % 2]?.claim(words)).toBe(isNew)
          model.add(words.join())
        }
      }),
    )
  })

  it.each([1, 2])('completes or skips a slot of which a dead thread wrote %i words', (written) => {
    const { memory, table } = open()
    const dead = Int32Array.of(5, 6, 7)
    table.claim(dead)
    // The first page of the table has a count; the slots follow.
    const words = new Int32Array(memory, 4096)
    const at = words.indexOf(5)
    words.fill(0, at + written, at + 3)
    expect(table.has(dead)).toBe(false)
    expect(table.claim(Int32Array.of(5, 9, 9))).toBe(true)
    expect([table.claim(dead), table.claim(dead)]).toEqual([true, false])
    expect(table.claim(Int32Array.of(5, 9, 9))).toBe(false)
  })

  it('reports that it is full if it cannot grow, and still finds its digests', () => {
    const grown = allocateDigestTable(layout)
    const fixed = new SharedArrayBuffer(grown.byteLength)
    new Int32Array(fixed)[0] = 1
    const { table } = open(fixed)
    for (let number = 1; number <= 11; number++) table.claim(Int32Array.of(number, 1, 1))
    expect(table.isFull).toBe(false)
    table.claim(Int32Array.of(12, 1, 1))
    expect(table.isFull).toBe(true)
    expect(table.has(Int32Array.of(12, 1, 1))).toBe(true)
  })
})
