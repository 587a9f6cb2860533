import type { LoginForm } from '../config/login-file.ts'
import { CookieJar } from '../cookies/cookie-jar.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type FetcherOptions, openFetcher } from '../fetch/open-fetcher.ts'
import { isLoggedIn, logInByForm } from '../login/log-in.ts'
import type { SetCookies } from '../messages/messages.ts'

/** Milliseconds between two looks whether the crawl was stopped. */
const STOP_CHECK_MS = 100

/** A session that a site began at a login. */
interface NewSession {
  /** The cookies that the site set. */
  readonly cookies: readonly SetCookies[]
  /** The URLs of the page with the form, and where it is sent. */
  readonly formUrls: readonly string[]
}

/**
 * Logs in. It begins without cookies: to a visitor with an earlier session, sites show no form.
 * @param options those of the workers' fetchers
 * @param isStopped ends the login, without a session, once it returns true
 * @throws CrawlerError('usage') saying why the login failed
 */
export async function logIn(
  login: LoginForm,
  options: FetcherOptions,
  isStopped: () => boolean,
): Promise<NewSession | undefined> {
  const jar = new CookieJar([])
  const cookies: SetCookies[] = []
  const cookiesFor = (url: string) => cookiesIn(jar.headerFor(url))
  const formUrls = await fetchWith(
    options,
    { jar, taken: (message) => cookies.push(message) },
    isStopped,
    (fetcher) => logInByForm(login, fetcher, cookiesFor, !isIdentified(options)),
  )
  return formUrls === undefined ? undefined : { cookies, formUrls }
}

/**
 * Returns whether the session of a login still holds; undefined if that can't be known.
 * @param cookies those of the crawl, and what is done with new ones
 */
export function holdsSession(
  login: LoginForm,
  options: FetcherOptions,
  cookies: CrawlCookies,
  isStopped: () => boolean,
): Promise<boolean | undefined> {
  return fetchWith(options, cookies, isStopped, (fetcher) => isLoggedIn(login, fetcher))
}

/** Cookies, and what is done with new ones. */
interface CrawlCookies {
  readonly jar: CookieJar
  taken(message: SetCookies): void
}

/** Makes requests until `isStopped` returns true. Returns undefined if they were stopped. */
async function fetchWith<T>(
  options: FetcherOptions,
  { jar, taken }: CrawlCookies,
  isStopped: () => boolean,
  work: (fetcher: Fetcher) => Promise<T>,
): Promise<T | undefined> {
  const fetcher = openFetcher(options, {
    headerFor: (url) => jar.headerFor(url),
    take(url, setCookies) {
      jar.take(url, setCookies)
      taken({ type: 'cookies', url, setCookies })
    },
  })
  const stopCheck = setInterval(() => isStopped() && void fetcher.close(), STOP_CHECK_MS)
  try {
    return await work(fetcher)
  } catch (error) {
    if (isStopped()) return undefined
    throw error
  } finally {
    clearInterval(stopCheck)
    await fetcher.close()
  }
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
