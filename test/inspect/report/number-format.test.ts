import { expect, it } from 'vitest'
import {
  formatBytes,
  formatDuration,
  formatProbability,
  formatShare,
} from '../../../src/inspect/report/number-format.ts'

it.each([
  ...([
    [0, '0 B'],
    [999, '999 B'],
    [999.7, '1 kB'],
    [1_000, '1 kB'],
    [1_499, '1.50 kB'],
    [28_240, '28.2 kB'],
  ] as const),
  ...([
    [999_999, '1 MB'],
    [2.82e9, '2.82 GB'],
    [1e21, '1000000 PB'],
  ] as const),
])('the report shows %d bytes as %s', (bytes, shown) => expect(formatBytes(bytes)).toBe(shown))

it.each([
  ...([
    [0, '0 ms'],
    [16, '16 ms'],
    [999.7, '1 s'],
    [1_500, '1.50 s'],
    [59_000, '59 s'],
    [59_970, '1 min 0 s'],
  ] as const),
  ...([
    [90_000, '1 min 30 s'],
    [3_570_000, '59 min 30 s'],
    [3_599_900, '1 h 0 min'],
    [7_260_000, '2 h 1 min'],
  ] as const),
])('the report shows %d ms as %s', (ms, shown) => expect(formatDuration(ms)).toBe(shown))

it.each([
  ...([
    [0, 0, '0.0 %'],
    [1, 100_000, '< 0.1 %'],
    [1, 100, '1.0 %'],
  ] as const),
  ...([
    [12, 100, '12 %'],
    [999, 1_000, '99.9 %'],
    [99_999, 100_000, '> 99.9 %'],
  ] as const),
  ...([[5, 5, '100 %']] as const),
])('the report shows %d of %d as %s', (part, whole, shown) =>
  expect(formatShare(part, whole)).toBe(shown),
)

it('a probability is formatted as one in N', () => {
  const rates = [0, 0.4, 0.01, 1 / 12_345, 1e-7, 1e-20].map(formatProbability)
  expect(rates).toEqual([
    'none',
    '1 in 2.5',
    '1 in 100',
    '1 in 12,345',
    '1 in 10M',
    'less than 1 in 1T',
  ])
})
