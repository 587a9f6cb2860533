import { describe, expect, it } from 'vitest'
import { SmallCounters, smallCounterBytes } from '../../../src/seen/bloom/small-counters.ts'

describe('counters of 4 bits', () => {
  function allocate(count: number) {
    const words = new Int32Array(new SharedArrayBuffer(smallCounterBytes(count)))
    return { words, counters: new SmallCounters(words) }
  }

  it.each([0, 6, 7, 8, 15])('count at index %i, without changing their neighbors', (place) => {
    const { words, counters } = allocate(17)
    expect(counters.raise(place)).toBe(true)
    for (let step = 2; step <= 14; step++) expect(counters.raise(place)).toBe(false)
    for (let other = 0; other < 17; other++) expect(counters.isSet(other)).toBe(other === place)
    for (let step = 14; step >= 2; step--) expect(counters.lower(place)).toBe(false)
    expect(counters.lower(place)).toBe(true)
    expect(words.every((word) => word === 0)).toBe(true)
  })

  it('stay at 15 forever, and never wrap', () => {
    const { words, counters } = allocate(16)
    for (let step = 0; step < 40; step++) counters.raise(7)
    expect((words[0] ?? 0) >>> 28).toBe(15)
    expect((words[0] ?? 0) & 0x0fff_ffff).toBe(0)
    for (let step = 0; step < 40; step++) expect(counters.lower(7)).toBe(false)
    expect(counters.isSet(7)).toBe(true)
    expect(words[1]).toBe(0)
  })

  it('do not go below 0', () => {
    const { words, counters } = allocate(8)
    expect(counters.lower(3)).toBe(false)
    expect(words[0]).toBe(0)
  })
})
