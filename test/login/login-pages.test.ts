import { expect, it } from 'vitest'
import { LoginPages } from '../../src/login/login-pages.ts'

const SITE = 'https://example.com'
const pages = new LoginPages([`${SITE}/login`, `${SITE}/wp-login.php?a=1&b=2`, `${SITE}/forum/`])

it.each([
  ...['/login', '/login?next=/members/2', '/login?', '/forum/', '/forum/?back=1'],
  ...['/wp-login.php?a=1&b=2', '/wp-login.php?b=2&next=%2F&a=1'],
])('%s is the login page', (path) => {
  expect(pages.has(SITE + path)).toBe(true)
})

it.each([
  ...['/', '/login/', '/logins', '/login.html', '/a/login', '/forum', '/forum/thread'],
  ...['/wp-login.php', '/wp-login.php?a=1', '/wp-login.php?a=1&b=3', '/?next=/login'],
])('%s is not the login page', (path) => {
  expect(pages.has(SITE + path)).toBe(false)
})

it('a login page whose query contains a question mark is recognized', () => {
  const page = `${SITE}/login?next=/a?b=1`
  const recognizer = new LoginPages([page])
  expect([page, `${page}&c=2`, `${SITE}/login?next=/a`].map((url) => recognizer.has(url))).toEqual([
    true,
    true,
    false,
  ])
})

it('a login page is recognized with and without parameters of its path, such as a session', () => {
  for (const page of [`${SITE}/login?a=1`, `${SITE}/login;jsessionid=1F?a=1`]) {
    const recognizer = new LoginPages([page])
    const same = ['/login?a=1', '/login;jsessionid=2E?a=1&b=2', '/login;a?a=1']
    expect(same.map((path) => recognizer.has(SITE + path))).toEqual([true, true, true])
    const others = ['/login;jsessionid=2E', '/login;a/b?a=1', '/logins;a?a=1']
    expect(others.map((path) => recognizer.has(SITE + path))).toEqual([false, false, false])
  }
  expect(new LoginPages([`${SITE}/;jsessionid=1F`]).has(`${SITE}/`)).toBe(false)
})

it('login pages of other origins are not recognized', () => {
  expect(pages.has('http://example.com/login')).toBe(false)
  expect(pages.has('https://www.example.com/login')).toBe(false)
})

it.each(['/', '/index.php', '/forum/index.html', '/Default.aspx'])(
  'a form on the start page %s keeps no page from being crawled',
  (path) => {
    const start = new LoginPages([SITE + path])
    expect([SITE + path, `${SITE + path}?page=2`].map((url) => start.has(url))).toEqual([
      false,
      false,
    ])
    expect(new LoginPages([`${SITE + path}?do=login`]).has(`${SITE + path}?x=1&do=login`)).toBe(
      true,
    )
  },
)
