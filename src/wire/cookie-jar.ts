import { createRequire } from 'node:module'
import type { Cookie } from 'tough-cookie'

type Cookies = typeof import('tough-cookie')

/** RFC 6265, 6.1, asks for at least as many; a site that sets more loses the later ones. */
const MAX_PER_DOMAIN = 50
const MAX_COOKIES = 5_000
const MAX_COOKIE_LENGTH = 4_096

/** RFC 9110, 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/
const HTTP_ONLY = '#HttpOnly_'

let cookies: Cookies | undefined

/** On the first need: it brings the list of public suffixes along, which takes 4 MB in each thread. */
function load(): Cookies {
  cookies ??= createRequire(import.meta.url)('tough-cookie') as Cookies
  return cookies
}

/**
 * Cookies by the rules of RFC 6265: each goes back to the site that set it, and none can be set for
 * all of a public suffix. Bounded; what sites send never throws.
 */
export class CookieJar {
  readonly #cookies = load()
  readonly #jar = new this.#cookies.CookieJar()
  /** Path and name of what was set, by domain. */
  readonly #known = new Map<string, Set<string>>()
  #size = 0

  /** @param lines as `lines` gives them */
  constructor(lines: readonly string[]) {
    for (const line of lines) this.add(line)
  }

  /** The value of Cookie for a request; undefined when there is none. */
  headerFor(url: string): string | undefined {
    const value = this.#jar.getCookieStringSync(url)
    return HEADER_VALUE.test(value) ? value : undefined
  }

  /** Takes values of Set-Cookie. */
  take(url: string, setCookies: readonly string[]): void {
    for (const text of setCookies.slice(0, MAX_PER_DOMAIN)) {
      if (text.length > MAX_COOKIE_LENGTH) continue
      const cookie = this.#cookies.Cookie.parse(text)
      if (cookie !== undefined) this.#set(cookie, url)
    }
  }

  /** Takes a line of a Netscape cookie file; false when it is none. */
  add(line: string): boolean {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    const fields = (isHttpOnly ? line.slice(HTTP_ONLY.length) : line).split('\t')
    const [host = '', subdomains, path = '/', secure, expiry = '', key = '', value = ''] = fields
    if (fields.length < 6 || fields.length > 7 || !/^\d{1,15}$/.test(expiry)) return false
    const domain = host.replace(/^\./, '')
    const cookie = new this.#cookies.Cookie({
      ...{ key, value, path, secure: secure === 'TRUE', httpOnly: isHttpOnly },
      domain: subdomains === 'TRUE' ? domain : null,
      expires: Number(expiry) === 0 ? 'Infinity' : new Date(Number(expiry) * 1_000),
    })
    if (!URL.canParse(`https://${domain}/`)) return false
    this.#set(cookie, `https://${domain}${path}`)
    return true
  }

  /** As lines of a Netscape cookie file: domain, subdomains, path, secure, expiry, name, value. */
  get lines(): string[] {
    return this.#alive().map((cookie) => {
      const { domain, hostOnly, httpOnly, key, path, secure, value } = cookie
      const host = `${httpOnly ? HTTP_ONLY : ''}${hostOnly ? '' : '.'}${domain}`
      const time = cookie.expiryTime() ?? Number.POSITIVE_INFINITY
      const expiry = Number.isFinite(time) ? Math.ceil(time / 1_000) : 0
      return [host, flag(!hostOnly), path, flag(secure), expiry, key, value].join('\t')
    })
  }

  #set(cookie: Cookie, url: string): void {
    if (!this.#admits(cookie, url)) return
    try {
      this.#jar.setCookieSync(cookie, url, { ignoreError: true })
    } catch {} // for another site, or for a public suffix
  }

  /** Whether there is room, which it takes. */
  #admits({ domain, path, key }: Cookie, url: string): boolean {
    const site = domain ?? new URL(url).hostname
    const known = this.#known.get(site) ?? new Set()
    const id = `${path}\t${key}`
    if (known.has(id)) return true
    if (known.size >= MAX_PER_DOMAIN || this.#size >= MAX_COOKIES) return false
    this.#known.set(site, known.add(id))
    this.#size++
    return true
  }

  #alive(): Cookie[] {
    const now = Date.now()
    const stored = this.#jar.serializeSync()?.cookies ?? []
    return stored
      .flatMap((each) => this.#cookies.Cookie.fromJSON(each) ?? [])
      .filter((cookie) => (cookie.expiryTime() ?? 0) > now)
      .filter(({ key, path, value }) => !/\p{Cc}/u.test(`${key}${path}${value}`))
  }
}

function flag(value: boolean | null): string {
  return value === true ? 'TRUE' : 'FALSE'
}
