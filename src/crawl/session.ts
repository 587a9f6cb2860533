import type { LoginForm } from '../config/login-file.ts'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { type FetcherOptions, openFetcher } from '../fetch/open-fetcher.ts'
import { logInByForm } from '../login/log-in.ts'
import type { SetCookies } from '../messages/messages.ts'

/**
 * Logs in before any worker makes a request. Returns the cookies that the site set. It begins without cookies: to a
 * visitor with an earlier session, sites show no form.
 * @param options those of the workers' fetchers
 * @throws CrawlerError('usage') saying why the login failed
 */
export async function logIn(
  login: LoginForm,
  options: FetcherOptions,
): Promise<readonly SetCookies[]> {
  const cookies = new CookieJar([])
  const messages: SetCookies[] = []
  const fetcher = openFetcher('http', options, {
    headerFor: (url) => cookies.headerFor(url),
    take(url, setCookies) {
      cookies.take(url, setCookies)
      messages.push({ type: 'cookies', url, setCookies })
    },
  })
  try {
    await logInByForm(login, fetcher, (url) => cookiesIn(cookies.headerFor(url)))
  } finally {
    await fetcher.close()
  }
  return messages
}

/** Returns the cookies of a Cookie header by name. */
function cookiesIn(header = ''): ReadonlyMap<string, string> {
  const pairs = header.split('; ').map((pair) => /^([^=]*)=(.*)$/s.exec(pair))
  return new Map(pairs.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])))
}
