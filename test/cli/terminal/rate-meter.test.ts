import { expect, it } from 'vitest'
import { RateMeter } from '../../../src/cli/terminal/rate-meter.ts'

it('the rate meter measures growth per second, over the last three seconds only', () => {
  const rates = new RateMeter()
  expect(rates.next(0, [0, 0])).toEqual([0, 0])
  expect(rates.next(500, [50, 5])).toEqual([100, 10])
  for (let at = 1_000; at <= 4_000; at += 500) rates.next(at, [at / 10, 5])
  expect(rates.next(4_500, [450, 5])).toEqual([100, 0])
  expect(rates.next(4_500, [450, 5])).toEqual([100, 0])
})
