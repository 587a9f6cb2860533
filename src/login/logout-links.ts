import { pathStart } from '../url/origin.ts'
import { percentDecoded } from '../url/percent-decoded.ts'
import { registrableDomain } from '../url/registrable-domain.ts'

/**
 * Words that end a session if they are a whole segment of a path, or a whole name or value of a query. Their extension
 * (`logout.php`), case, hyphens and underscores are ignored.
 */
const LOGOUT: ReadonlySet<string> = new Set([
  ...['logout', 'logoff', 'signout', 'signoff', 'userlogout', 'special:userlogout'],
  ...['dologout', 'dosignout', 'sessionlogout', 'logoutuser', 'endsession'],
])
/** Segments of a path that name a session. One of `ENDING` after it ends the session. */
const SESSION = /^(?:user)?sessions?$/
const ENDING = /^(?:end|destroy|delete|terminate|close)$/
const EXTENSION = /\.(?:php\d?|aspx?|jspx?|do|action|cgi|html?)$/

/** Recognizes links that log out. */
export class LogoutLinks {
  readonly #domain: string

  /** @param url canonical URL of the login. Links to other domains are not recognized */
  constructor(url: string) {
    this.#domain = domainOf(url)
  }

  /** Returns whether a canonical URL logs out, judging by its words. */
  has(url: string): boolean {
    return logsOut(url) && domainOf(url) === this.#domain
  }
}

function logsOut(url: string): boolean {
  const start = pathStart(url)
  const [, path = '', query = ''] = /^([^?]*)\??(.*)/.exec(url.slice(start + 1)) ?? []
  const segments = path.split('/').map((segment) => wordOf(segment.replace(/;.*/, '')))
  const isEnd = (word: string, at: number) =>
    LOGOUT.has(word) || (ENDING.test(word) && SESSION.test(segments[at - 1] ?? ''))
  return segments.some(isEnd) || query.split(/[&=;]/).some((part) => LOGOUT.has(wordOf(part)))
}

function wordOf(part: string): string {
  const text = percentDecoded(part).toLowerCase().replace(EXTENSION, '')
  return text.replaceAll(/[-_]/g, '')
}

function domainOf(url: string): string {
  return registrableDomain(new URL(url).hostname)
}
