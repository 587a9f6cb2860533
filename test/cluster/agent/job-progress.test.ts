import { describe, expect, it } from 'vitest'
import { JobProgress } from '../../../src/cluster/agent/job-progress.ts'

/** Returns the view of a partition to which `added` URLs were added, with an unfinished one at each of these depths. */
const view = (added: number, ...depths: number[]) => ({
  ...{ added, visits: 0, bytes: 0, free: 0, active: depths.length, orphans: 0 },
  open: depths.map((depth): [number, number] => [depth, 1]),
})

describe('the safe depth', () => {
  it('needs two checks to know that nothing is left', () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(0), view(0)])
    expect([safeDepth.isComplete, safeDepth.needsSecondLook]).toEqual([false, true])
    safeDepth.update([view(0), view(0)])
    expect([safeDepth.isComplete, safeDepth.needsSecondLook]).toEqual([true, false])
  })

  it('is not deceived by a URL that moves from an unread partition to one already read', () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(1, 0), view(0)])
    // Partition 0 was read first. Then its last page led to partition 1 and back again.
    safeDepth.update([view(1), view(1)])
    expect(safeDepth.isComplete).toBe(false)
    safeDepth.update([view(2, 1), view(1)])
    expect([safeDepth.isComplete, safeDepth.depth]).toEqual([false, 0])
    safeDepth.update([view(2, 1), view(1)])
    expect([safeDepth.isComplete, safeDepth.depth]).toEqual([false, 1])
  })

  it("doesn't increase while either of two checks saw unfinished URLs nearer to the seeds", () => {
    const safeDepth = new JobProgress()
    safeDepth.update([view(3, 0, 1), view(2, 2)])
    expect(safeDepth.needsSecondLook).toBe(false)
    safeDepth.update([view(3, 1), view(2, 2)])
    expect([safeDepth.depth, safeDepth.needsSecondLook]).toEqual([0, true])
    safeDepth.update([view(3, 1), view(2, 2)])
    expect([safeDepth.depth, safeDepth.open, safeDepth.active]).toEqual([1, 2, 2])
  })

  it('decreases after a restart, and two checks have to confirm it', () => {
    const safeDepth = new JobProgress()
    for (let look = 0; look < 2; look++) safeDepth.update([view(3, 5), view(2, 6)])
    expect(safeDepth.depth).toBe(5)
    safeDepth.restart()
    safeDepth.update([view(1, 2), view(2, 3)])
    expect([safeDepth.depth, safeDepth.needsSecondLook]).toEqual([0, true])
    safeDepth.update([view(1, 2), view(2, 3)])
    expect(safeDepth.depth).toBe(2)
  })
})
