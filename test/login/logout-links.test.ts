import { expect, it } from 'vitest'
import { LogoutLinks } from '../../src/login/logout-links.ts'

const links = new LogoutLinks('https://auth.example.com/login')

it.each([
  ...[
    '/logout',
    '/Log-Out/',
    '/users/sign_out',
    '/account/signoff?next=/',
    '/logout.php',
    '/a/logout.do?x',
  ],
  ...['/session/end', '/sessions/destroy', '/user_session/delete', '/connect/end-session'],
  ...[
    '/wp-login.php?action=logout&_wpnonce=1',
    '/index.php?title=Special:UserLogout',
    '/?logout',
    '/%6Cogout',
    '/index.php?title=Who?&action=logout',
    '/logout;jsessionid=1F',
    '/log-out.do;jsessionid=1F?next=/',
  ],
])('%s is a link that logs out', (path) => {
  expect(links.has(`https://www.example.com${path}`)).toBe(true)
})

it.each([
  ...['/', '/how-to-logout', '/logout-help', '/logouts', '/session', '/end', '/session/endless'],
  ...[
    '/sessions/7/end',
    '/blog?q=how+to+logout',
    '/login?next=/logout',
    '/a?b=logout.html.en',
    '/a;b=logout',
  ],
])('%s is not a link that logs out', (path) => {
  expect(links.has(`https://www.example.com${path}`)).toBe(false)
})

it('logout links of other domains are not recognized', () => {
  expect(links.has('https://other.org/logout')).toBe(false)
})
