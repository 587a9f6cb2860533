import { describe, expect, it } from 'vitest'
import { likelyQuantities } from '../../src/config/likely-quantity.ts'

describe('suggestions for a misspelled quantity', () => {
  it.each([
    ['5', ['5s', '5/s']],
    ['1000', ['1000s', '1000/s', '1000ms']],
    ['90sec', ['90s']],
    ['2 minutes', ['2m']],
    ['10M', ['10m', '10MB']],
    ['5 requests per second', ['5/s']],
    ['2MB/sec', ['2MB/s']],
    ['half a second', []],
  ])('for %j are some of %j', (text, quantities) =>
    expect(likelyQuantities(text)).toEqual(quantities),
  )
})
