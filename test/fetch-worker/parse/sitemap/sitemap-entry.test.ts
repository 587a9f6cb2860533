import { expect, it } from 'vitest'
import { isOlderThan } from '../../../../src/fetch-worker/parse/sitemap/sitemap-entry.ts'

const isOlder = isOlderThan(Date.parse('2026-11-30T12:00Z'))

it.each([
  '2025',
  '2026-10',
  '2026-11-29',
  '2026-11-30T11:59:59Z',
  '2026-11-30T11:59',
  '2026-11-30T12:30:00+01:00',
  'Mon, 30 Nov 2026 08:00:00 GMT',
])('an entry of %j is older than noon of 2026-11-30', (modified) => {
  expect(isOlder({ href: '/', modified })).toBe(true)
})

it.each([
  ...[
    '2026',
    '2026-11',
    '2026-11-30',
    '2026-12',
    '2026-11-30T12:00:00Z',
    '2026-11-30T12:00',
    '2026-11-30T11:30-01:00',
  ],
  ...[undefined, '', 'yesterday', '2026-13-45', '99999999999999'],
])('an entry of %j is not older', (modified) => {
  expect(isOlder({ href: '/', modified })).toBe(false)
})
