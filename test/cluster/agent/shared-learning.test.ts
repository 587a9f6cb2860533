import { describe, expect, it } from 'vitest'
import { learnedIn, learnedPast } from '../../../src/cluster/agent/shared-learning.ts'
import { DamageError } from '../../../src/errors.ts'

const template = (n: number) => ({
  ...{ scripts: `${n}`.padStart(40, '0'), directory: `/${n}/` },
  ...{ pages: 9, barren: 3, isStatic: true },
})
const numbers = Array.from({ length: 500 }, (_, n) => n)

describe("the part of a host's past about rendered pages", () => {
  it('contains the latest templates and documents that fit into a small text', () => {
    const shells = numbers.map((n) => `${n}`)
    const past = JSON.stringify(learnedPast({ templates: numbers.map(template), shells }))
    expect(past.length).toBeLessThan(3_000)
    const learned = learnedIn(past)
    expect(learned?.shells).toEqual(shells.slice(-10))
    const { length = 0 } = learned?.templates ?? []
    expect(length).toBeGreaterThan(10)
    expect(learned?.templates).toEqual(numbers.slice(-length).map(template))
  })

  it('is absent if nothing was rendered', () => {
    expect(learnedPast(undefined)).toEqual({})
    expect(learnedIn('{"pages":1}')).toBeUndefined()
  })

  it('is refused if it is damaged', () => {
    const damaged = JSON.stringify({ learned: { templates: [{ pages: -1 }], shells: [] } })
    expect(() => learnedIn(damaged)).toThrow(DamageError)
  })
})
