import { expect, it, onTestFinished, vi } from 'vitest'
import { formatCount, formatList, formatPercent, formatSeconds } from '../src/english-text.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [12_345, '12,345'],
  [1_234_567_890, '1,234,567,890'],
  [-123_456, '-123,456'],
])('formats %d as %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

it('does not load the data of languages to format a number, which takes long', () => {
  const load = vi.spyOn(Number.prototype, 'toLocaleString')
  onTestFinished(() => load.mockRestore())
  expect([formatCount(1_000), formatPercent(0.5)]).toEqual(['1,000', '50 %'])
  expect(load).not.toHaveBeenCalled()
})

it.each([
  [0, '0 %'],
  [7e-10, '0 %'],
  [0.000_151, '0.02 %'],
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
