import { expect, it } from 'vitest'
import { hostWaits } from '../../../src/frontier/hosts/sleepers.ts'

it('waiting hosts are counted by when they may be requested, those of unknown time at the end', () => {
  const now = 1_000_000
  const untils = [now + 50, now + 100, now + 900, now + 30_000, now + 7_200_000]
  const known = untils.map((until) => ({ host: 'a', until, isAway: false }))
  expect(hostWaits({ count: 7, known }, now).map(({ within, hosts }) => [within, hosts])).toEqual([
    [0.1, 2],
    [1, 3],
    [10, 3],
    [60, 4],
    [600, 4],
    [3_600, 4],
    [Number.POSITIVE_INFINITY, 7],
  ])
})
