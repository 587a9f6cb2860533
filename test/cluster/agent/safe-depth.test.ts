import { describe, expect, it } from 'vitest'
import { Horizon } from '../../../src/cluster/agent/safe-depth.ts'

/** A partition with so many URLs ever, and some unfinished at these depths. */
const view = (added: number, ...depths: number[]) => ({
  ...{ added, free: 0, active: depths.length },
  open: depths.map((depth): [number, number] => [depth, 1]),
})

describe('the horizon', () => {
  it('needs two looks to know that nothing is left', () => {
    const horizon = new Horizon()
    horizon.see([view(0), view(0)])
    expect([horizon.isOver, horizon.isUnsure]).toEqual([false, true])
    horizon.see([view(0), view(0)])
    expect([horizon.isOver, horizon.isUnsure]).toEqual([true, false])
  })

  it('is not deceived by a URL that led from a partition not yet seen to one that was', () => {
    const horizon = new Horizon()
    horizon.see([view(1, 0), view(0)])
    // Partition 0 was looked at, then its last page led to partition 1 and back again.
    horizon.see([view(1), view(1)])
    expect(horizon.isOver).toBe(false)
    horizon.see([view(2, 1), view(1)])
    expect([horizon.isOver, horizon.depth]).toEqual([false, 0])
    horizon.see([view(2, 1), view(1)])
    expect([horizon.isOver, horizon.depth]).toEqual([false, 1])
  })

  it('stays where something nearer was unfinished at either look', () => {
    const horizon = new Horizon()
    horizon.see([view(3, 0, 1), view(2, 2)])
    expect(horizon.isUnsure).toBe(false)
    horizon.see([view(3, 1), view(2, 2)])
    expect([horizon.depth, horizon.isUnsure]).toEqual([0, true])
    horizon.see([view(3, 1), view(2, 2)])
    expect([horizon.depth, horizon.open, horizon.active]).toEqual([1, 2, 2])
  })
})
