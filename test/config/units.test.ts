import { describe, expect, it } from 'vitest'
import {
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseShare,
  parseSize,
  RATE_PATTERN,
  SIZE_PATTERN,
} from '../../src/config/units.ts'

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['250ms', 250],
    ['2s', 2_000],
    ['1.5h', 5_400_000],
    ['10 m', 600_000],
    ['2d', 172_800_000],
    ['0.001s', 1],
    ['1h30m', 5_400_000],
    ['2d 12h', 216_000_000],
    ['1m5ms', 60_005],
    ['1d1h1m1s1ms', 90_061_001],
    ['30m 1h', 5_400_000],
  ])('%s is %i ms', (text, ms) => {
    expect(text).toMatch(DURATION_PATTERN)
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    '5',
    '5 sec',
    '-1s',
    '1e3s',
    '1h30',
    '1h,5m',
    '1h  5m',
    '0s0',
    's',
    '1,5s',
    '٣s',
    '1s ',
    ' 1s',
  ])('%j is invalid', (text) => expect(text).not.toMatch(DURATION_PATTERN))
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

  it.each(['', '10', '10M', '-1kB', '10mib', '1e3B'])('%j is invalid', (text) =>
    expect(text).not.toMatch(SIZE_PATTERN),
  )
})

describe('a rate', () => {
  it.each([
    ['5', 5],
    ['5/s', 5],
    ['0.5/s', 0.5],
    ['30/m', 0.5],
    ['1800/h', 0.5],
    ['86400/d', 1],
  ])('%s is %d a second', (text, perSecond) => {
    expect(text).toMatch(RATE_PATTERN)
    expect(parseRate(text)).toBeCloseTo(perSecond, 9)
  })

  it.each(['', '/s', '5/', '5/ms', '5s', '-5', '5/s/s'])('%j is invalid', (text) =>
    expect(text).not.toMatch(RATE_PATTERN),
  )
})

describe('a bandwidth', () => {
  it.each([
    ['500k', 500_000],
    ['500kB/s', 500_000],
    ['2M', 2_000_000],
    ['2m', 2_000_000],
    ['1.5MB', 1_500_000],
    ['64KiB/s', 65_536],
    ['64Ki', 65_536],
    ['1G', 1e9],
    ['9000', 9_000],
    ['9000 B/s', 9_000],
  ])('%s is %i bytes a second', (text, perSecond) => {
    expect(text).toMatch(BANDWIDTH_PATTERN)
    expect(parseBandwidth(text)).toBe(perSecond)
  })

  it.each(['', 'k', '5i', '2Mbit', '2M/m', '-1k'])('%j is invalid', (text) =>
    expect(text).not.toMatch(BANDWIDTH_PATTERN),
  )
})

it('a share may be given in percent', () => {
  expect(['0%', '50%', '12.5 %', '200%'].map(parseShare)).toEqual([0, 0.5, 0.125, 2])
})
