import { expect, it } from 'vitest'
import { isNofollow } from '../../../src/html/reference-scanner/rel-keywords.ts'

it.each(['nofollow', 'NoFollow', 'external\nnofollow\tnoopener', ' nofollow '])(
  'nofollow is found in rel="%s"',
  (rel) => {
    expect(isNofollow(rel)).toBe(true)
  },
)

it.each([
  undefined,
  '',
  'follow',
  'nofollows',
  'xnofollow',
  'no follow',
  'nofollow,ugc',
  'ugc sponsored',
])('nofollow is not found in rel="%s"', (rel) => {
  expect(isNofollow(rel)).toBe(false)
})
