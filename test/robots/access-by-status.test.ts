import { describe, expect, it } from 'vitest'
import { robotsAccess } from '../../src/robots/access-by-status.ts'

describe('robotsAccess', () => {
  it.each([
    [200, 'parse'],
    [204, 'parse'],
    [301, 'allow-all'],
    [308, 'allow-all'],
    [400, 'allow-all'],
    [401, 'allow-all'],
    [403, 'allow-all'],
    [404, 'allow-all'],
    [499, 'allow-all'],
    [429, 'disallow-all'],
    [500, 'disallow-all'],
    [503, 'disallow-all'],
    [599, 'disallow-all'],
    [199, 'disallow-all'],
    [999, 'disallow-all'],
    [undefined, 'disallow-all'],
  ] as const)('returns for status %s the access %s', (status, access) => {
    expect(robotsAccess(status)).toBe(access)
  })
})
