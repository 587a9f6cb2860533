import { expect, it } from 'vitest'
import { disallowReason } from '../../src/robots/disallow-reason.ts'

it.each([
  ['/private', 'line 3 of robots.txt disallows /private'],
  [
    'Crawl-delay: 301',
    'line 3 of robots.txt asks for Crawl-delay: 301, more than the accepted maximum of 300 s',
  ],
])('the reason for a rule of %s contains its line', (pattern, reason) => {
  expect(disallowReason({ allow: false, pattern, line: 3 })).toBe(reason)
})
