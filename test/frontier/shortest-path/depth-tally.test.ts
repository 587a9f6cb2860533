import { expect, it } from 'vitest'
import { DepthTally } from '../../../src/frontier/shortest-path/depth-tally.ts'

it('finds the least depth among hundreds of thousands of depths with unfinished URLs', () => {
  const tally = new DepthTally()
  tally.add(0)
  for (let depth = 200_000; depth >= 100; depth--) tally.add(depth)
  tally.remove(0)
  expect(tally.shallowest).toBe(100)
})
