import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseSeed } from '../../src/url/seed.ts'
import { hideLogin, UrlWithPassword } from '../../src/url/url-with-password.ts'

describe('a URL with a login', () => {
  it.each([
    ['https://me:hunter2@h/a', 'https://***@h/a'],
    ['hunter2@h/x', '***@h/x'],
    ['me:hunter2@h:81', '***@h:81/'],
    [' https://:hunter2@h ', 'https://***@h/'],
    ['http:me:hunter2@h', 'http://***@h/'],
    ['https:\\\\me:hunter2@h', 'https://***@h/'],
    ['redis://:hunter2@h:1/2', 'redis://***@h:1/2'],
    ['socks5://me:hunter2@h:1080', 'socks5://***@h:1080'],
  ])('%j prints as %s, however it is printed', (typed, shown) => {
    const url = new UrlWithPassword(typed)
    const printed = [String(url), JSON.stringify(url), inspect(url, { showHidden: true })]
    expect(printed).toEqual([shown, `"${shown}"`, shown])
    expect(JSON.stringify(structuredClone({ url }))).not.toContain('hunter2')
    expect(url.reveal()).toBe(typed)
    expect([url.hasLogin, url.lacksLogin]).toEqual([true, false])
  })

  it('stored without its login lacks it, until it gets that of another URL', () => {
    const kept = new UrlWithPassword('https://***@h/a?b')
    expect([kept.hasLogin, kept.lacksLogin]).toEqual([false, true])
    const bareKept = new UrlWithPassword('***@h:81/')
    expect([bareKept.lacksLogin, parseSeed('***@h:81/').url]).toEqual([true, 'https://h:81/'])
    const whole = kept.withLoginOf(new UrlWithPassword('https://me:p%40ss@h'))
    expect([whole.hasLogin, whole.lacksLogin]).toEqual([true, false])
    expect(whole.reveal()).toBe('https://me:p%40ss@h/a?b')
    const bare = new UrlWithPassword('h:81').withLoginOf(whole)
    expect([bare.reveal(), bare.shown, bare.hasLogin]).toEqual([
      ...['me:p%40ss@h:81/', '***@h:81/', true],
    ])
    expect(parseSeed(bare.reveal())).toMatchObject({ fallback: 'http://h:81/' })
  })
})

describe('a URL without a login', () => {
  it.each(['https://h', 'h', 'localhost:8080', 'https://h/@x', 'http://h/?a@b', 'redis://h'])(
    '%s is shown as it was typed',
    (typed) => {
      const url = new UrlWithPassword(typed)
      expect([url.shown, url.hasLogin, url.lacksLogin]).toEqual([typed, false, false])
    },
  )
})

it.each([
  ['h', 'https://h:443'],
  ['http://me@H', 'http://h:80'],
  ['redis://Queue', 'redis://queue:6379'],
  ['socks5://p:1', 'socks5://p:1'],
  ['https://h:99999999', ''],
])('the origin of %s is %j', (typed, origin) =>
  expect(new UrlWithPassword(typed).origin).toBe(origin),
)

describe('a text that is not quite a URL', () => {
  it.each([
    ['https://me:hunter2@h:99999999/', 'https://***@h:99999999/'],
    ['me:hunter2@host', '***@host'],
    ['htp//me:hunter2@host', '***@host'],
    ['http://me:p@ss w@ho st/', 'http://***@ho st/'],
    ['me:pa/ss@h', '***@h'],
    ['mailto:a@b', 'mailto:a@b'],
    ['ftp://h/', 'ftp://h/'],
    ['https//medium.com/@user', 'https//medium.com/@user'],
    ['http:medium.com/@user', 'http:medium.com/@user'],
    [' medium.com/a?b=@c#@d', ' medium.com/a?b=@c#@d'],
    ['http:/me:pass/word@host/', 'http:/***@host/'],
    ['https//me:pass/word@host/', '***@host/'],
    ['me:first.last/word@host', '***@host'],
    ['https//h.test:12345/word@host', '***@host'],
    ['token/x@host', '***@host'],
    ['https//h.test/ https://token@host', '***@host'],
    ['https//h.test/ token@host', '***@host'],
    ['https//h.test/http://me:pass@host', '***@host'],
  ])('%s is shown as %s', (typed, shown) => expect(hideLogin(typed)).toBe(shown))
})
