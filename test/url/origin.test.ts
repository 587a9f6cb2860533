import { describe, expect, it } from 'vitest'
import { originOf } from '../../src/url/origin.ts'

describe('originOf', () => {
  it.each(['http://example.com/', 'https://example.com:8443/a/b?c//d', 'http://[::1]:81/'])(
    'returns the origin of %s',
    (url) => {
      expect(originOf(url)).toBe(new URL(url).origin)
    },
  )
})
