import { expect, it } from 'vitest'
import { isSameSite } from '../../src/url/same-site.ts'

it.each([
  ['https://www.one.test/a', 'https://one.test:81/', true],
  ['https://127.0.0.1/', 'https://127.0.0.1:81/', true],
  ['https://127.0.0.1/', 'https://127.0.0.2/', false],
  ['https://one.test/', 'https://two.test/', false],
  ['https://one.github.io/', 'https://two.github.io/', false],
  ['http://one.test/', 'https://one.test/', false],
  // The origin of a frame in a sandbox.
  ['null', 'https://one.test/', false],
])('%s and %s are of one site: %s', (one, other, expected) => {
  expect(isSameSite(one, other)).toBe(expected)
  expect(isSameSite(other, one)).toBe(expected)
})
