import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CookieJar } from '../../src/cookies/cookie-jar.ts'

const HOUR = 3_600
const soon = Math.floor(Date.now() / 1_000) + HOUR

/** Returns the bytes of the heap that are in use. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

function jarWith(url: string, ...setCookies: readonly string[]): CookieJar {
  const jar = new CookieJar([])
  jar.store(url, setCookies)
  return jar
}

describe('CookieJar', () => {
  it('returns cookies to the host that set them, and to no other', () => {
    const jar = jarWith('https://www.example.com/a/b', 'one=1', 'two=2; Path=/a')
    expect(jar.headerFor('https://www.example.com/a/c')).toBe('one=1; two=2')
    expect(jar.headerFor('https://www.example.com/b')).toBeUndefined()
    expect(jar.headerFor('https://example.com/a/c')).toBeUndefined()
    expect(jar.headerFor('https://other.example.com/a/c')).toBeUndefined()
  })

  it("doesn't keep the header of a cookie in memory", () => {
    const jar = new CookieJar([])
    const before = heapUsed()
    for (let i = 0; i < 40; i++) {
      const header = Buffer.alloc(100_000, `name-${i}=the value of a cookie; and more`).toString()
      jar.store(`https://${i}.example.com/`, [
        header.slice(0, `name-${i}=the value of a cookie`.length),
      ])
    }
    expect(heapUsed() - before).toBeLessThan(1_000_000)
    expect(jar.headerFor('https://39.example.com/')).toBe('name-39=the value of a cookie')
  })

  it('returns domain cookies to the hosts of the domain', () => {
    const jar = jarWith('https://www.example.com/', 'one=1; Domain=example.com')
    expect(jar.headerFor('https://other.example.com/')).toBe('one=1')
    expect(jar.headerFor('https://example.com.evil.test/')).toBeUndefined()
  })

  it.each([
    ['https://www.example.co.uk/', 'one=1; Domain=co.uk', 'https://other.co.uk/'],
    ['https://a.github.io/', 'one=1; Domain=github.io', 'https://b.github.io/'],
    ['https://evil.test/', 'one=1; Domain=example.com', 'https://example.com/'],
  ])('accepts from %s no cookie for others: %s', (url, setCookie, other) => {
    expect(jarWith(url, setCookie).headerFor(other)).toBeUndefined()
  })

  it('accepts a cookie whose domain is a public suffix for the host of that name only', () => {
    const jar = jarWith('http://intranet:8080/', 'one=1; Domain=intranet')
    expect(jar.headerFor('http://intranet/')).toBe('one=1')
    expect(jar.headerFor('http://www.intranet/')).toBeUndefined()
    const refused = jarWith('http://intranet/', '__Host-one=1; Domain=intranet; Secure')
    expect(refused.headerFor('http://intranet/')).toBeUndefined()
  })

  it("doesn't send secure cookies over plain http", () => {
    const jar = jarWith('https://example.com/', 'one=1; Secure')
    expect(jar.headerFor('http://example.com/')).toBeUndefined()
  })

  it.each([
    ['http://example.com/', 'one=2', 'one=1'],
    ['http://example.com/', 'one=; Max-Age=0', 'one=1'],
    ['http://www.example.com/', 'one=2', 'one=1'],
    ['http://example.com/', 'two=2', 'one=1; two=2'],
    ['https://example.com/', 'one=2', 'one=2'],
  ])('%s, which is not sent a secure cookie, can not replace it: %s', (url, setCookie, cookies) => {
    const jar = jarWith('https://example.com/', 'one=1; Secure; Domain=example.com')
    jar.store(url, [`${setCookie}; Domain=example.com`])
    expect(jar.headerFor('https://example.com/')).toBe(cookies)
  })

  it.each([
    ['http://example.com/', 'one=2; Path=/app', 'https://example.com/app/x', 'one=1; Path=/app'],
    ['http://example.com/', 'one=2; Path=/app/x', 'https://example.com/app/x', 'one=1; Path=/app'],
    ['http://www.example.com/', 'one=2; Domain=example.com', 'https://example.com/', 'one=1'],
    ['http://example.com/', 'one=2; Domain=example.com', 'https://www.example.com/', 'one=1'],
  ])('%s can not hide a secure cookie by setting %s', (url, setCookie, page, secure) => {
    const jar = jarWith(page, `${secure}; Secure`)
    jar.store(url, [setCookie])
    expect(jar.headerFor(page)).toBe('one=1')
  })

  it('lets a page on http set a cookie for a path or a host without a secure one', () => {
    const jar = jarWith('https://example.com/app/', 'one=1; Path=/app; Secure')
    jar.store('http://example.com/', ['one=2; Path=/'])
    jar.store('http://notexample.com/', ['one=3'])
    expect(jar.headerFor('https://example.com/app/')).toBe('one=1; one=2')
    expect(jar.headerFor('http://notexample.com/')).toBe('one=3')
  })

  it('lets localhost replace its secure cookies without https, since it is sent them', () => {
    const jar = jarWith('http://localhost/', 'one=1; Secure', 'one=2')
    expect(jar.headerFor('http://localhost/')).toBe('one=2')
  })

  it('deletes a cookie with Max-Age=0', () => {
    const jar = jarWith('https://example.com/', 'one=1', 'one=; Max-Age=0')
    expect(jar.headerFor('https://example.com/')).toBeUndefined()
    expect(jar.lines).toEqual([])
  })

  it('sends the other cookies when one has a value that a header can not have', () => {
    const line = (name: string, value: string) =>
      `example.com\tFALSE\t/\tFALSE\t0\t${name}\t${value}`
    const jar = new CookieJar([line('polish', 'ł'), line('control', '\x01'), line('own', '1')])
    jar.store('https://example.com/', ['one=1', 'delete=\x7f', 'two=2'])
    expect(jar.headerFor('https://example.com/')).toBe('own=1; one=1; two=2')
    jar.store('https://other.com/', ['delete=\x7f'])
    expect(jar.headerFor('https://other.com/')).toBeUndefined()
  })

  it('sends cookies to addresses, to localhost, and to names with a dot at their end', () => {
    for (const url of [
      'https://example.com./',
      'http://www.example.com.:81/a',
      'http://127.0.0.1:8080/',
      'http://[::1]/',
      'http://localhost/',
    ]) {
      expect(jarWith(url, 'one=1').headerFor(url)).toBe('one=1')
    }
  })

  it.each(['http://[2001:db8::1]:81/', 'http://127.0.0.1/'])(
    'may name the address of its host as its domain: %s',
    (url) => {
      const jar = jarWith(url, `one=1; Domain=${new URL(url).hostname}`)
      expect(jar.headerFor(url)).toBe('one=1')
    },
  )

  it('takes a cookie whose name and value have 4,096 characters, as browsers do, and none that is longer', () => {
    const attributes = '; Path=/; HttpOnly; Secure; SameSite=Lax'
    const cookies = ['a='.padEnd(4_097, 'x'), 'b='.padEnd(4_098, 'x')]
    const jar = jarWith('https://example.com/', ...cookies.map((each) => each + attributes))
    jar.store('https://example.com/', [`c=1; Path=/${'x'.repeat(5_200)}`])
    expect(jar.lines).toEqual([expect.stringContaining('\ta\tx')])
  })

  it('is limited per domain', () => {
    const many = Array.from({ length: 200 }, (_, index) => `c${index}=1`)
    const jar = jarWith('https://example.com/', ...many.slice(0, 40), 'long='.padEnd(5_000, 'x'))
    jar.store('https://example.com/', many)
    expect(jar.lines).toHaveLength(50)
    jar.store('https://example.com/', ['c1=2'])
    expect(jar.headerFor('https://example.com/')).toContain('c1=2')
  })

  it("doesn't drop cookies of a host for refused cookies of another", () => {
    const jar = jarWith('https://www.example.com/')
    const foreign = Array.from({ length: 60 }, (_, index) => `c${index}=1; Domain=example.com`)
    jar.store('https://evil.test/', foreign)
    jar.store('https://evil.test/', [...foreign, 'own=1'])
    jar.store('https://example.com/', ['session=1'])
    expect(jar.headerFor('https://example.com/')).toBe('session=1')
    expect(jar.headerFor('https://evil.test/')).toBe('own=1')
    expect(jar.lines).toHaveLength(2)
  })

  it("doesn't drop cookies of a site for those of another site's many hosts", () => {
    const jar = new CookieJar([])
    for (let host = 0; host < 200; host++) {
      const many = Array.from({ length: 50 }, (_, index) => `c${index}=1`)
      jar.store(`https://h${host}.evil.test/`, many)
    }
    expect(jar.lines).toHaveLength(500)
    jar.store('https://example.com/', ['session=1'])
    expect(jar.headerFor('https://example.com/')).toBe('session=1')
  })

  it('is limited even if each directory sets its own cookies', () => {
    const jar = new CookieJar([])
    for (let at = 0; at < 200; at++) jar.store(`https://example.com/${at}/`, ['c=1'])
    expect(jar.lines).toHaveLength(50)
  })

  it('has space again after cookies were deleted', () => {
    const jar = new CookieJar([])
    for (let at = 0; at < 200; at++) {
      jar.store('https://example.com/', [`c${at}=1`, `c${at - 1}=; Max-Age=0`])
    }
    expect(jar.headerFor('https://example.com/')).toBe('c199=1')
  })

  it('uses no memory for hosts whose cookies were refused or deleted', () => {
    const jar = new CookieJar([])
    const visit = (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        jar.store(`https://example-${at}.com/`, ['a=1'])
        jar.store(`https://brief-${at}.com/`, ['a=1', 'a=; Max-Age=0'])
      }
    }
    visit(0, 5_200)
    const before = heapUsed()
    visit(5_200, 9_200)
    expect((heapUsed() - before) / 4_000).toBeLessThan(150)
    expect(jar.lines.length).toBeLessThanOrEqual(5_000)
  })

  it("doesn't count expired cookies", () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const brief = Array.from({ length: 50 }, (_, index) => `c${index}=1; Max-Age=1`)
    const jar = jarWith('https://example.com/', ...brief, 'late=1')
    expect(jar.headerFor('https://example.com/')?.split(' ')).toHaveLength(50)
    vi.advanceTimersByTime(2_000)
    jar.store('https://example.com/', ['session=abc'])
    expect(jar.headerFor('https://example.com/')).toBe('session=abc')
  })

  it("doesn't count expired cookies after the clock was set back", () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const brief = Array.from({ length: 51 }, (_, index) => `c${index}=1; Max-Age=1`)
    const jar = jarWith('https://other.example/', ...brief)
    vi.setSystemTime(Date.now() - HOUR * 1_000)
    jar.store('https://example.com/', brief.slice(1))
    vi.advanceTimersByTime(2_000)
    jar.store('https://example.com/', ['session=abc'])
    expect(jar.headerFor('https://example.com/')).toBe('session=abc')
  })

  it('sends a cookie no longer than its Max-Age, even if it is sent often', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const jar = jarWith('https://example.com/', 'brief=1; Max-Age=10')
    vi.advanceTimersByTime(8_000)
    const before = jar.lines
    expect(jar.headerFor('https://example.com/')).toBe('brief=1')
    expect(jar.lines).toEqual(before)
    vi.advanceTimersByTime(4_000)
    expect(jar.headerFor('https://example.com/')).toBeUndefined()
    expect(jar.lines).toEqual([])
  })

  it('reads a limited number of cookies from one response', () => {
    const foreign = Array.from({ length: 5_000 }, (_, index) => `c${index}=1; Domain=example.com`)
    const jar = jarWith('https://evil.test/', ...foreign, 'own=1')
    expect(jar.lines).toEqual([])
  })

  it.each(['', '=', ';', '=x', 'a', 'a=\0', 'a=b; Domain=', 'a=b; Domain=.', 'a=b; Expires=never'])(
    'never throws: %j',
    (setCookie) => {
      const jar = jarWith('https://example.com/', setCookie)
      expect(() => [jar.headerFor('https://example.com/'), jar.lines]).not.toThrow()
    },
  )
})

describe('the lines of a Netscape cookie file', () => {
  it('are read and written', () => {
    const lines = [
      `example.com\tFALSE\t/\tTRUE\t${soon}\thost\t1`,
      '.example.com\tTRUE\t/a\tFALSE\t0\tdomain\t2',
      '#HttpOnly_example.com\tFALSE\t/\tFALSE\t0\thidden\t3',
      '127.0.0.1\tFALSE\t/\tFALSE\t0\taddress\t4',
    ]
    const jar = new CookieJar(lines)
    expect(jar.lines.sort()).toEqual([...lines].sort())
    expect(jar.headerFor('https://example.com/a')).toBe('domain=2; host=1; hidden=3')
    expect(jar.headerFor('http://sub.example.com/a')).toBe('domain=2')
    expect(jar.headerFor('http://127.0.0.1:81/')).toBe('address=4')
  })

  it.each(['http://[::1]:81/', 'http://[2001:db8::1]/'])(
    'are read again for the IPv6 address of %s',
    (url) => {
      const jar = new CookieJar(jarWith(url, 'name=value').lines)
      expect(jar.headerFor(url)).toBe('name=value')
    },
  )

  it('may have brackets around an IPv6 address', () => {
    const jar = new CookieJar(['[::1]\tFALSE\t/\tFALSE\t0\tname\tvalue'])
    expect(jar.headerFor('http://[::1]:81/')).toBe('name=value')
  })

  it.each(['', '-1', '-1.0', `${soon}.5`])(
    'may have the time %j, as other programs write it',
    (time) => {
      const jar = new CookieJar([`example.com\tFALSE\t/\tFALSE\t${time}\tname\tvalue`])
      expect(jar.headerFor('http://example.com/')).toBe('name=value')
    },
  )

  it('contain the cookies that sites set', () => {
    const jar = jarWith('https://www.example.com/', 'a=1; HttpOnly; Secure; Max-Age=3600', 'b=2')
    expect(jar.lines).toEqual([
      expect.stringMatching(/^#HttpOnly_www\.example\.com\tFALSE\t\/\tTRUE\t\d{10}\ta\t1$/),
      'www.example.com\tFALSE\t/\tFALSE\t0\tb\t2',
    ])
  })

  it('reads TRUE in lower case as well, as curl does: a secret must not be sent over plain http', () => {
    const line = '.example.com\ttrue\t/\ttrue\t0\ta\t1'
    expect(new CookieJar([line]).lines).toEqual([line.replaceAll('true', 'TRUE')])
  })

  it.each(['', 'a=b', 'a\tb\tc', 'host\tTRUE\t/\tFALSE\tnever\tname\tvalue', '{"a": 1}'])(
    'are not %j',
    (line) => {
      expect(new CookieJar([]).add(line)).toBe(false)
    },
  )

  it('are all kept, in any number, since the user chose them', () => {
    const lines = Array.from(
      { length: 60 },
      (_, index) => `example.com\tFALSE\t/\tTRUE\t${soon}\tname${index}\t1`,
    )
    expect(new CookieJar(lines).lines).toHaveLength(60)
  })

  it('bound times that no date can have', () => {
    const latest = '8640000000000'
    const line = (expiry: string) => `example.com\tFALSE\t/\tFALSE\t${expiry}\tname\t1`
    for (const expiry of ['8640000000001', '99999999999999', '9223372036854775807']) {
      const jar = new CookieJar([line(expiry)])
      expect(jar.headerFor('http://example.com/')).toBe('name=1')
      expect(jar.lines).toEqual([line(latest)])
    }
    const jar = jarWith('http://example.com/', `name=1; Max-Age=${'9'.repeat(30)}`)
    expect(jar.lines).toEqual([line(latest)])
    expect(new CookieJar(jar.lines).lines).toEqual(jar.lines)
  })

  it('omit expired cookies', () => {
    expect(new CookieJar(['example.com\tFALSE\t/\tTRUE\t1\tname\tvalue']).lines).toEqual([])
  })
})
