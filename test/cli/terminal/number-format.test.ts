import { expect, it } from 'vitest'
import { formatClockDuration } from '../../../src/cli/terminal/number-format.ts'

it.each([
  [999, '999 ms'],
  [999.6, '1.0 s'],
  [59_949, '59.9 s'],
  [59_951, '1:00'],
  [187_000, '3:07'],
  [3_599_999, '59:59'],
  [8_100_000, '2:15:00'],
])('%d ms are shown as %s', (ms, text) => {
  expect(formatClockDuration(ms)).toBe(text)
})
