import { expect, it } from 'vitest'
import { surtOf } from '../../src/warc/surt.ts'

const SESSION = '4hqa0555fwsecu455xqckv45'
const LONG_SESSION = '0123456789abcdefghijklemopqrstuv'

// Computed by `surt.surt()` of the package `surt`, which warcio's indexers and pywb use.
it.each([
  ['http://www.archive.org/', 'org,archive)/'],
  ['https://www2.archive.org/goo/', 'org,archive)/goo'],
  ['https://archive.org:8080/Goo//Bar/', 'org,archive:8080)/goo/bar'],
  ['http://archive.org/goo/?', 'org,archive)/goo'],
  ['http://archive.org/goo/?a=2&b&a=1', 'org,archive)/goo?a=1&a=2&b'],
  ['http://archive.org/?b=&b&ab=1&a!=2&a=3', 'org,archive)/?a=3&a!=2&ab=1&b&b='],
  ['http://127.0.0.1:8080/', '1,0,0,127:8080)/'],
  ['https://xn--mnchen-3ya.de/%C3%BC', 'de,xn--mnchen-3ya)/%c3%bc'],
  ['https://example.com/%2541/%252e%252e/b%23c', 'com,example)/b%23c'],
  [`http://a.de/(S(${SESSION}))/b.aspx`, 'de,a)/b.aspx'],
  [`http://a.de/(${SESSION})/b.aspx`, 'de,a)/b.aspx'],
  [`http://a.de/b?PHPSESSID=${LONG_SESSION}&c=D`, 'de,a)/b?c=d'],
  ['http://a.de/b?CFID=1169580&CFTOKEN=48630702&c', 'de,a)/b?c'],
  [`http://a.de/%${'25'.repeat(3_900)}41`, 'de,a)/a'],
])('the key of %s is that of other programs: %s', (url, key) => {
  expect(surtOf(url)).toBe(key)
})
