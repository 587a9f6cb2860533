import { expect, it } from 'vitest'
import { formatList, formatPercent, formatSeconds } from '../src/english-text.ts'

it.each([
  [0, '0 %'],
  [7e-10, '0 %'],
  [0.000_42, '0.04 %'],
  [0.012_34, '1.2 %'],
  [0.125, '13 %'],
  [0.997, '100 %'],
  [1, '100 %'],
])('formats a share of %d as %s', (share, text) => {
  expect(formatPercent(share)).toBe(text)
})

it.each([
  [0, '0 ms'],
  [249.6, '250 ms'],
  [999.6, '1 s'],
  [1_460, '1.5 s'],
  [30_000, '30 s'],
  [99_960, '100 s'],
  [3_600_400, '3600 s'],
])('formats %d ms as %s', (ms, text) => {
  expect(formatSeconds(ms)).toBe(text)
})

it.each([
  [[], ''],
  [['one'], 'one'],
  [['one', 'two'], 'one and two'],
  [['one', 'two', 'three, four'], 'one, two and three, four'],
])('joins %j as `%s`', (names, text) => {
  expect(formatList(names, 'and')).toBe(text)
})
