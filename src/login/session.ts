import type { LoginForm } from '../config/login-file.ts'
import { CookieJar } from '../cookies/cookie-jar.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { type FetcherOptions, openFetcher } from '../fetch/open-fetcher.ts'
import type { SetCookies } from '../messages/from-worker.ts'
import { isLoggedIn, logInByForm } from './log-in.ts'

/** A session that a login began. */
interface NewSession {
  /** The cookies that the site set. */
  readonly cookies: readonly SetCookies[]
  /** The URLs of the page with the form and of the form's target. */
  readonly formUrls: readonly string[]
}

/**
 * Logs in. Begins without cookies, since sites show no form to a visitor with an earlier session.
 * @param options the options of the workers' fetchers
 * @param signal aborts the login; then undefined is returned
 * @throws CrawlerError('usage') saying why the login failed
 */
export async function logIn(
  login: LoginForm,
  options: FetcherOptions,
  signal: AbortSignal,
): Promise<NewSession | undefined> {
  const jar = new CookieJar([])
  const cookies: SetCookies[] = []
  const cookiesFor = (url: string) => cookiesIn(jar.headerFor(url))
  const formUrls = await fetchWith(
    options,
    { jar, onSetCookies: (message) => cookies.push(message) },
    signal,
    (fetcher) => logInByForm(login, fetcher, cookiesFor, !isIdentified(options)),
  )
  return formUrls === undefined ? undefined : { cookies, formUrls }
}

/**
 * Returns whether the session of a login is still valid; undefined if that can't be determined.
 * @param cookies the cookies of the crawl
 */
export function isSessionValid(
  login: LoginForm,
  options: FetcherOptions,
  cookies: CrawlCookies,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  return fetchWith(options, cookies, signal, (fetcher) => isLoggedIn(login, fetcher))
}

/** The cookies of a crawl, and a listener for new ones. */
interface CrawlCookies {
  readonly jar: CookieJar
  onSetCookies(message: SetCookies): void
}

/** Runs `work` with a fetcher. Returns undefined if the signal aborted it. */
async function fetchWith<T>(
  options: FetcherOptions,
  { jar, onSetCookies }: CrawlCookies,
  signal: AbortSignal,
  work: (fetcher: Fetcher) => Promise<T>,
): Promise<T | undefined> {
  const fetcher = openFetcher(options, {
    headerFor: (url) => jar.headerFor(url),
    store(url, setCookies) {
      jar.store(url, setCookies)
      onSetCookies({ type: 'cookies', url, setCookies })
    },
  })
  const stop = () => void fetcher.close()
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) return undefined
    return await work(fetcher)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await fetcher.close()
  }
}

/** Returns whether the user's headers may identify the user to the site. */
function isIdentified({ headers }: Pick<FetcherOptions, 'headers'>): boolean {
  return Object.keys(headers).some((name) => /^(?:cookie|authorization)$/i.test(name))
}

/** Returns the cookies of a Cookie header, as values by name. */
function cookiesIn(header = ''): ReadonlyMap<string, string> {
  const pairs = header.split('; ').map((pair) => /^([^=]*)=(.*)$/s.exec(pair))
  return new Map(pairs.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])))
}
