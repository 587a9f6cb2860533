import { describe, expect, it } from 'vitest'
import { PatternTree } from '../../src/traps/pattern-tree.ts'
import { TRAP_LIMITS } from '../../src/traps/trap-limits.ts'

function newTree(): PatternTree {
  return new PatternTree({ own: TRAP_LIMITS, below: TRAP_LIMITS })
}

describe('PatternTree', () => {
  it('distinguishes the directories of a site', () => {
    const tree = newTree()
    expect(tree.find(['a', 'b'])[0]?.pattern).toBe('/a/b')
    expect(tree.find(['a', 'b'])[0]).toBe(tree.find(['a', 'b'])[0])
    expect(tree.find(['a', 'c'])[0]).not.toBe(tree.find(['a', 'b'])[0])
    expect(tree.find(['a', '?q'])[0]?.pattern).toBe('/a?q')
  })

  it('returns the patterns above a pattern, the nearest first and without the host', () => {
    const [, ...above] = newTree().find(['a', 'b', 'c'])
    expect(above.map(({ pattern }) => pattern)).toEqual(['/a/b/...', '/a/...'])
  })

  it('merges names if there are many, but keeps common ones', () => {
    const tree = newTree()
    for (let i = 0; i < 20; i++) tree.find(['shop', 'help'])
    for (let i = 0; i < 100; i++) tree.find(['shop', `w${i}`])
    expect(tree.find(['shop', 'other'])[0]?.pattern).toBe('/shop/*')
    expect(tree.find(['shop', 'help'])[0]?.pattern).toBe('/shop/help')
    expect(tree.size).toBeLessThan(10)
  })

  it('has one pattern for arbitrary names at any depth', () => {
    const tree = newTree()
    for (let i = 0; i < 5_000; i++) tree.find(['maze', `v${i}`, `w${i % 971}`, `x${i % 977}`])
    expect(tree.find(['maze', 'p', 'q', 'r'])[0]?.pattern).toBe('/maze/*')
    expect(tree.find(['maze', 'p'])[0]?.pattern).toBe('/maze/*')
  })

  it('has a limited number of nodes', () => {
    const tree = newTree()
    for (let i = 0; i < 20_000; i++) {
      tree.find([`a${i % 31}`, `b${i % 29}`, `c${i % 23}`, ...Array(50).fill(`d${i}`)])
    }
    expect(tree.size).toBeLessThan(1_024)
  })
})
