import { describe, expect, it } from 'vitest'
import { retryAfterOf } from '../../src/fetch/retry-after.ts'

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'

const pauseOf = (value: string | string[], status = 503, headers = {}) =>
  retryAfterOf({
    ...{ status, bytes: 0, ms: 1, truncated: false, endsEarly: false, release() {} },
    headers: { 'retry-after': value, ...headers },
  })

describe('Retry-After', () => {
  it('is read on 429 and 503 only', () => {
    expect([429, 503, 500, 301, 200].map((status) => pauseOf('5', status))).toEqual([
      ...[5_000, 5_000],
      ...[undefined, undefined, undefined],
    ])
  })

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['999999999999999', 999_999_999_999_999_000],
    ['9'.repeat(60_000), 999_999_999_999_999_000],
    [`${'0'.repeat(20)}7`, 7_000],
    ['1.5', 2_000],
  ])('of %j is %i ms', (value, ms) => {
    expect(pauseOf(value)).toBe(ms)
  })

  it.each([
    'Sun, 06 Nov 1994 08:50:37 GMT',
    'Sunday, 06-Nov-94 08:50:37 GMT',
    'Sun Nov  6 08:50:37 1994',
    'Sun, 06 Nov 1994 08:50:37 UTC',
    'Sun, 06 Nov 1994 09:50:37 +0100',
    'Sun, 6 Nov 1994 08:50:37 GMT',
    'Sun, 06-Nov-1994 08:50:37 GMT',
    '06 Nov 1994 08:50:37 gmt',
    '1994-11-06T08:50:37Z',
    '1994-11-06T09:50:37.000+01:00',
  ])("with the date %j is relative to the server's clock", (value) => {
    expect(pauseOf(value, 503, { date: DATE })).toBe(60_000)
  })

  it('with a date is relative to our clock if the server sends no Date', () => {
    const ms = pauseOf(new Date(Date.now() + 90_000).toUTCString())
    expect(ms).toBeGreaterThan(85_000)
    expect(ms).toBeLessThanOrEqual(90_000)
  })

  it('is 0 for dates in the past', () => {
    expect(pauseOf(DATE)).toBe(0)
  })

  it.each(['', '-1', '1.', '1e3', 'soon', '5 s', '2099-01-01', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
    'with %j is ignored',
    (value) => {
      expect(pauseOf(value)).toBeUndefined()
    },
  )

  it('given several times is the first', () => {
    expect(pauseOf(['3', '9'])).toBe(3_000)
  })
})
