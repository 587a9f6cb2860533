import type { LoginForm } from '../config/login-file.ts'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { type FetcherOptions, openFetcher } from '../fetch/open-fetcher.ts'
import { logInByForm } from '../login/log-in.ts'
import type { SetCookies } from '../messages/messages.ts'

/** Milliseconds between two looks whether the crawl was stopped. */
const STOP_CHECK_MS = 100

/**
 * Logs in before any worker makes a request. Returns the cookies that the site set. It begins without cookies: to a
 * visitor with an earlier session, sites show no form.
 * @param options those of the workers' fetchers
 * @param isStopped ends the login, without cookies, once it returns true
 * @throws CrawlerError('usage') saying why the login failed
 */
export async function logIn(
  login: LoginForm,
  options: FetcherOptions,
  isStopped: () => boolean,
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
  const stopCheck = setInterval(() => isStopped() && void fetcher.close(), STOP_CHECK_MS)
  const cookiesFor = (url: string) => cookiesIn(cookies.headerFor(url))
  try {
    await logInByForm(login, fetcher, cookiesFor, !isIdentified(options))
  } catch (error) {
    if (isStopped()) return []
    throw error
  } finally {
    clearInterval(stopCheck)
    await fetcher.close()
  }
  return messages
}

/** Returns whether the headers that the user gave may show who they are. */
function isIdentified({ headers }: Pick<FetcherOptions, 'headers'>): boolean {
  return Object.keys(headers).some((name) => /^(?:cookie|authorization)$/i.test(name))
}

/** Returns the cookies of a Cookie header by name. */
function cookiesIn(header = ''): ReadonlyMap<string, string> {
  const pairs = header.split('; ').map((pair) => /^([^=]*)=(.*)$/s.exec(pair))
  return new Map(pairs.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])))
}
