import { describe, expect, it } from 'vitest'
import { hostKey } from '../../src/url/host-key.ts'

describe('hostKey', () => {
  it.each([
    ['http://example.com/', 'example.com'],
    ['https://example.com/a/b?c//d', 'example.com'],
    ['http://example.com:8080/a', 'example.com:8080'],
    ['https://[::1]:8443/', '[::1]:8443'],
  ])('gives the host and port of %s', (url, key) => {
    expect(hostKey(url)).toBe(key)
  })
})
