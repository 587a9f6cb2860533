import { describe, expect, it } from 'vitest'
import { conditionsFor, validatorsOf } from '../../src/fetch/validators.ts'

describe('validators', () => {
  it('are sent back as conditions, unchanged', () => {
    const date = 'Sunday, 06-Nov-94 08:49:37 GMT'
    const validators = validatorsOf({ etag: 'W/"a\xe9b"', 'last-modified': date })
    expect(validators).toEqual({ etag: 'W/"a\xe9b"', lastModified: date })
    expect(conditionsFor(validators)).toEqual({
      'if-none-match': 'W/"a\xe9b"',
      'if-modified-since': date,
    })
    expect(conditionsFor({ digest: 'of no use' })).toEqual({})
  })

  it.each([
    'bare',
    '"open',
    'w/"lower"',
    '"in"side"',
    '"a b"',
    '*',
    '"1", "2"',
    `"${'x'.repeat(1_001)}"`,
  ])("don't include %s as an entity tag", (etag) => {
    expect(validatorsOf({ etag })).toEqual({})
  })

  it.each(['whenever', `${' '.repeat(60)}Sun, 06 Nov 1994 08:49:37 GMT`])(
    "don't include %s as a date",
    (date) => {
      expect(validatorsOf({ 'last-modified': date })).toEqual({})
    },
  )

  it("don't include headers that were sent twice", () => {
    expect(validatorsOf({ etag: ['"1"', '"2"'] })).toEqual({})
  })
})
