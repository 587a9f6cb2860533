import { describe, expect, it } from 'vitest'
import { isProxyException, ProxyChoice } from '../../src/fetch/proxy-rules.ts'

const PROXY = 'http://proxy.test:3128'

const proxyFor = (origin: string, except: readonly string[], exceptLoopback = false) =>
  new ProxyChoice({ http: PROXY, https: PROXY, except, exceptLoopback }).proxyFor(origin)

describe('a proxy exception', () => {
  it.each([
    ['*', 'http://example.com'],
    ['example.com', 'https://example.com'],
    ['example.com', 'https://a.b.example.com:8443'],
    ['EXAMPLE.com.', 'http://example.com'],
    ['.example.com', 'http://example.com'],
    ['*.example.com', 'http://www.example.com'],
    ['example.com', 'http://example.com.'],
    ['bücher.example', 'http://xn--bcher-kva.example'],
    ['example.com:8080', 'http://example.com:8080'],
    ['example.com:443', 'https://example.com'],
    ['*:80', 'http://example.com'],
    ['192.0.2.7', 'http://192.0.2.7:81'],
    ['192.0.2.7:81', 'http://192.0.2.7:81'],
    ['192.0.2.0/24', 'http://192.0.2.7'],
    ['2001:db8::1', 'http://[2001:db8::1]:81'],
    ['[2001:db8::1]', 'http://[2001:db8::1]'],
    ['[2001:db8::1]:81', 'http://[2001:db8::1]:81'],
    ['2001:db8::/32', 'https://[2001:db8:1::1]'],
  ])('%s matches %s', (exception, origin) => {
    expect(proxyFor(origin, [exception])).toBeUndefined()
  })

  it.each([
    ['example.com', 'http://notexample.com'],
    ['example.com', 'http://example.com.evil.test'],
    ['example.com:8080', 'http://example.com'],
    ['*:80', 'https://example.com'],
    ['192.0.2.0/24', 'http://192.0.3.7'],
    ['192.0.2.0/24', 'http://192.0.2.7.example.com'],
    ['192.0.2.7', 'http://a.192.0.2.7.test'],
    ['0.0.0.0/0', 'http://[2001:db8::1]'],
    ['2001:db8::1', 'http://[2001:db8::2]'],
    ['[2001:db8::1]:81', 'http://[2001:db8::1]:82'],
  ])("%s doesn't match %s", (exception, origin) => {
    expect(proxyFor(origin, [exception])).toBe(PROXY)
  })

  it.each(['10.0.0.0/33', '/8', 'a b', 'http://x', 'x:port', '[::1', '-', '.'])(
    'may not be %s',
    (text) => expect(isProxyException(text)).toBe(false),
  )
})

describe('hosts of this machine', () => {
  it.each(['http://localhost:8', 'https://a.localhost', 'http://127.9.9.9', 'http://[::1]:8080'])(
    'are an exception if that is requested: %s',
    (origin) => {
      expect(proxyFor(origin, [], true)).toBeUndefined()
      expect(proxyFor(origin, [])).toBe(PROXY)
    },
  )

  it.each(['http://10.0.0.5', 'http://localhost.example', 'http://128.0.0.1'])(
    "don't include %s",
    (origin) => expect(proxyFor(origin, [], true)).toBe(PROXY),
  )
})
