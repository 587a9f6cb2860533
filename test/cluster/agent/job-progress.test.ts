import { describe, expect, it } from 'vitest'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'

/** A partition with so many URLs ever, and some unfinished at these depths. */
const view = (added: number, ...depths: number[]) => ({
  ...{ added, visits: 0, bytes: 0, free: 0, active: depths.length, orphans: 0 },
  open: depths.map((depth): [number, number] => [depth, 1]),
})

describe('the safe depth', () => {
  it('needs two looks to know that nothing is left', () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(0), view(0)])
    expect([safeDepth.isComplete, safeDepth.needsSecondLook]).toEqual([false, true])
    safeDepth.update([view(0), view(0)])
    expect([safeDepth.isComplete, safeDepth.needsSecondLook]).toEqual([true, false])
  })

  it('is not deceived by a URL that led from a partition not yet seen to one that was', () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(1, 0), view(0)])
    // Partition 0 was looked at, then its last page led to partition 1 and back again.
    safeDepth.update([view(1), view(1)])
    expect(safeDepth.isComplete).toBe(false)
    safeDepth.update([view(2, 1), view(1)])
    expect([safeDepth.isComplete, safeDepth.depth]).toEqual([false, 0])
    safeDepth.update([view(2, 1), view(1)])
    expect([safeDepth.isComplete, safeDepth.depth]).toEqual([false, 1])
  })

  it('stays where something nearer was unfinished at either look', () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(3, 0, 1), view(2, 2)])
    expect(safeDepth.needsSecondLook).toBe(false)
    safeDepth.update([view(3, 1), view(2, 2)])
    expect([safeDepth.depth, safeDepth.needsSecondLook]).toEqual([0, true])
    safeDepth.update([view(3, 1), view(2, 2)])
    expect([safeDepth.depth, safeDepth.open, safeDepth.active]).toEqual([1, 2, 2])
  })
})
