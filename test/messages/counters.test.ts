import { describe, expect, it } from 'vitest'
import { Counters } from '../../src/messages/counters.ts'

describe('the counters of workers', () => {
  it('keep the counts of each worker apart', () => {
    const counters = new Counters(Counters.allocate(3))
    for (const worker of [1, 2, 3]) {
      counters.add(worker, 'fetched', worker)
      counters.add(worker, 'failed', 10 * worker)
      counters.add(worker, 'setSize', 100 * worker)
    }
    counters.deepest = 7
    for (const worker of [1, 2, 3]) {
      expect(counters.read(worker, 'fetched')).toBe(worker)
      expect(counters.read(worker, 'failed')).toBe(10 * worker)
      expect(counters.read(worker, 'setSize')).toBe(100 * worker)
    }
    expect(counters.deepest).toBe(7)
  })

  it('are shared by all that use the same memory', () => {
    const counters = new Counters(Counters.allocate(1))
    const other = new Counters(counters.memory)
    other.add(1, 'setSize', 5)
    other.deepest = 2
    other.renewSeen()
    expect(counters.read(1, 'setSize')).toBe(5)
    expect(counters.deepest).toBe(2)
    expect(counters.seenGeneration).toBe(1)
  })

  it('count beyond 32 bits', () => {
    const counters = new Counters(Counters.allocate(1))
    counters.add(1, 'setSize', 2 ** 32)
    counters.add(1, 'setSize', 1)
    expect(counters.read(1, 'setSize')).toBe(2 ** 32 + 1)
  })

  it('continue from those of an earlier run, even if that had more workers', () => {
    const before = new Counters(Counters.allocate(3))
    for (const worker of [1, 2, 3]) before.add(worker, 'fetched', worker)
    before.addSkips({ 'skip:depth': 5 })
    const counters = new Counters(Counters.allocate(2))
    counters.restore(before.saved)
    expect(counters.saved).toEqual([{ fetched: 1 + 3, 'skip:depth': 5 }, { fetched: 2 }])
  })
})
