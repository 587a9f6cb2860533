import { describe, expect, it } from 'vitest'
import { checkStoredLogins, Logins } from '../../src/config/logins.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'

const logins = (text: string) => new Logins({ CRAWL_LOGINS: text })
const WITH_LOGIN = ['https://me:pw@h/a', 'http://g/']
const LACKING =
  'expected user and password again, which are not stored, in the URL or in CRAWL_LOGINS'

describe('CRAWL_LOGINS', () => {
  it('adds the login of its origin to each URL, and to no other URL', () => {
    const input: ConfigInput = {
      seeds: ['h:443/a', 'https://***@h/b', 'http://h/', 'https://h:8443/', 'https://own:own@h/'],
      ...{ proxy: 'http://***@p:3128', frontier: ['redis://q', 'redis://q:6380'] },
    }
    const all = 'https://me:p%40@h/ http://a:b@p:3128\n redis://:pw@q:6379 '
    const { seeds, proxy, frontier } = logins(all).fillAll(resolveConfig(input))
    expect([...seeds, proxy, ...frontier].map((url) => url?.reveal())).toEqual([
      ...['me:p%40@h/a', 'https://me:p%40@h/b', 'http://h/', 'https://h:8443/'],
      ...['https://own:own@h/', 'http://a:b@p:3128/', 'redis://:pw@q', 'redis://q:6380'],
    ])
  })

  it.each(['https://h/', 'pw', 'https://***@h/', 'https://me:hunter2@h:99999'])(
    'is refused if it contains %s, which is not repeated',
    (text) => {
      expect(() => logins(`https://me:hunter2@h/ ${text}`)).toThrow(
        /^CRAWL_LOGINS: expected URLs such as https:\/\/user:password@example.com, separated by spaces$/,
      )
    },
  )
})

it.each<[ConfigInput, string]>([
  [{ seeds: ['https://***@h/a'] }, 'https://***@h/a'],
  [{ proxy: 'http://***@p' }, 'http://***@p/'],
  [{ frontier: ['redis://***@q'] }, 'redis://***@q'],
])('%j is refused, since a login is missing', (input, shown) => {
  const config = resolveConfig(input)
  expect(() => new Logins({}).fillAll(config)).toThrow(`${shown.replace(/\/$/, '')}`)
  expect(() => new Logins({}).fillAll(config)).toThrow(LACKING)
})

describe('a resumed crawl', () => {
  const before = JSON.parse(JSON.stringify(resolveConfig({ seeds: WITH_LOGIN })))

  it('needs the logins that it began with', () => {
    const check =
      (...seeds: string[]) =>
      () =>
        checkStoredLogins(before, resolveConfig({ seeds }))
    expect(JSON.stringify(before)).not.toContain('pw')
    expect(check('https://h/a', 'http://g/')).toThrow(`https://***@h/a: ${LACKING}`)
    expect(check('https://you:other@h/a', 'http://g/')).not.toThrow()
    expect(check('https://h/b')).not.toThrow()
  })
})
