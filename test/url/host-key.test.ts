import { describe, expect, it } from 'vitest'
import { hostAndPort, hostKey } from '../../src/url/host-key.ts'

describe('hostKey', () => {
  it.each([
    ['http://example.com/', 'example.com'],
    ['https://example.com/a/b?c//d', 'example.com'],
    ['http://example.com:8080/a', 'example.com:8080'],
    ['https://[::1]:8443/', '[::1]:8443'],
  ])('returns the host and port of %s', (url, key) => {
    expect(hostKey(url)).toBe(key)
  })
})

it.each([
  ['http://h/a', 'h:80'],
  ['https://h', 'h:443'],
  ['https://h:8443/a:1', 'h:8443'],
  ['http://[::1]/', '[::1]:80'],
  ['https://[::1]:1', '[::1]:1'],
])('%s is at %s, for any scheme', (url, place) => expect(hostAndPort(url)).toBe(place))
