import { describe, expect, it } from 'vitest'
import { SafeDepth } from '../../../src/cluster/agent/safe-depth.ts'

/** A partition with so many URLs ever, and some unfinished at these depths. */
const view = (added: number, ...depths: number[]) => ({
  ...{ added, free: 0, active: depths.length },
  open: depths.map((depth): [number, number] => [depth, 1]),
})

describe('the horizon', () => {
  it('needs two looks to know that nothing is left', () => {
    const horizon = new SafeDepth()
    horizon.update([view(0), view(0)])
    expect([horizon.isOver, horizon.needsSecondLook]).toEqual([false, true])
    horizon.update([view(0), view(0)])
    expect([horizon.isOver, horizon.needsSecondLook]).toEqual([true, false])
  })

  it('is not deceived by a URL that led from a partition not yet seen to one that was', () => {
    const horizon = new SafeDepth()
    horizon.update([view(1, 0), view(0)])
    // Partition 0 was looked at, then its last page led to partition 1 and back again.
    horizon.update([view(1), view(1)])
    expect(horizon.isOver).toBe(false)
    horizon.update([view(2, 1), view(1)])
    expect([horizon.isOver, horizon.depth]).toEqual([false, 0])
    horizon.update([view(2, 1), view(1)])
    expect([horizon.isOver, horizon.depth]).toEqual([false, 1])
  })

  it('stays where something nearer was unfinished at either look', () => {
    const horizon = new SafeDepth()
    horizon.update([view(3, 0, 1), view(2, 2)])
    expect(horizon.needsSecondLook).toBe(false)
    horizon.update([view(3, 1), view(2, 2)])
    expect([horizon.depth, horizon.needsSecondLook]).toEqual([0, true])
    horizon.update([view(3, 1), view(2, 2)])
    expect([horizon.depth, horizon.open, horizon.active]).toEqual([1, 2, 2])
  })
})
