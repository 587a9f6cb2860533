import { describe, expect, it } from 'vitest'
import { registrableDomain } from '../../src/url/registrable-domain.ts'

describe('registrableDomain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['www.example.co.uk', 'example.co.uk'],
    ['someone.github.io', 'someone.github.io'],
    ['www.example.com.', 'example.com'],
    ['www.xn--55qx5d.cn', 'www.xn--55qx5d.cn'],
  ])('returns the registrable domain of %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain)
  })

  it.each(['localhost', 'co.uk', 'github.io', '127.0.0.1', '[::1]', 'intranet'])(
    'returns %s itself',
    (host) => {
      expect(registrableDomain(host)).toBe(host)
    },
  )
})
