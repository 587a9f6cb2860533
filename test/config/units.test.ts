import { describe, expect, it } from 'vitest'
import { DURATION_PATTERN, parseDuration, parseSize, SIZE_PATTERN } from '../../src/config/units.ts'

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['250ms', 250],
    ['2s', 2_000],
    ['1.5h', 5_400_000],
    ['10 m', 600_000],
    ['2d', 172_800_000],
    ['0.001s', 1],
  ])('%s is %i ms', (text, ms) => {
    expect(text).toMatch(DURATION_PATTERN)
    expect(parseDuration(text)).toBe(ms)
  })

  it.each(['', '5', '5 sec', '-1s', '1e3s', '1h30m', 's', '1,5s', '٣s', '1s '])(
    '%j is none',
    (text) => expect(text).not.toMatch(DURATION_PATTERN),
  )
})

describe('a size', () => {
  it.each([
    ['500kB', 500_000],
    ['1KB', 1_000],
    ['10MiB', 10_485_760],
    ['1.5 KiB', 1_536],
    ['17B', 17],
    ['1GiB', 2 ** 30],
  ])('%s is %i bytes', (text, bytes) => {
    expect(text).toMatch(SIZE_PATTERN)
    expect(parseSize(text)).toBe(bytes)
  })

  it.each(['', '10', '10M', '-1kB', '10mib', '1e3B'])('%j is none', (text) =>
    expect(text).not.toMatch(SIZE_PATTERN),
  )
})
