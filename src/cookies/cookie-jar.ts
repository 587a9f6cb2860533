import { createRequire } from 'node:module'
import type { Cookie } from 'tough-cookie'
import { detachedCopy } from '../encoding/detached-copy.ts'
import { withBrackets, withoutBrackets } from '../url/ip-family.ts'
import { KeptCookies } from './kept-cookies.ts'

type Cookies = typeof import('tough-cookie')

/** Maximum Set-Cookie headers that are read in a response. */
const MAX_PER_RESPONSE = 200
/** Maximum characters of the name and the value of a cookie together (RFC 6265bis, 5.7), as in browsers. */
const MAX_COOKIE_LENGTH = 4_096
/** Maximum characters of a Set-Cookie header, with its attributes. */
const MAX_HEADER_LENGTH = MAX_COOKIE_LENGTH + 1_024
/** Latest time that a date can represent, in seconds since 1970. */
const MAX_EXPIRY = 8.64e12
/** Minimum milliseconds between two searches for expired cookies. */
const CLEANING_MS = 1_000

/** RFC 9110, 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/
/** Control characters of ASCII. Those of Latin-1 may be bytes of UTF-8. */
const CONTROL = /[^\x20-\x7e\x80-\uffff]/
/**
 * Seconds since 1970. For a cookie of the session, some programs write 0, Python leaves the field empty, and the cookies
 * of Chromium's DevTools protocol have -1.
 */
const EXPIRY = /^(?:-1|\d*)(?:\.\d+)?$/
const HTTP_ONLY = '#HttpOnly_'

let cookies: Cookies | undefined

/** Loads tough-cookie on first use: its list of public suffixes takes 4 MB in each thread. */
function load(): Cookies {
  cookies ??= createRequire(import.meta.url)('tough-cookie') as Cookies
  return cookies
}

/**
 * Cookies by the rules of RFC 6265: a cookie is sent only to the site that set it, and none can be
 * set for a whole public suffix. Their number is bounded. No input from a site makes it throw.
 */
export class CookieJar {
  readonly #cookies = load()
  readonly #jar = new this.#cookies.CookieJar()
  readonly #kept = new KeptCookies<Cookie>()
  /** When expired cookies were last removed, in milliseconds since 1970. */
  #cleaned = 0

  /** @param lines of a Netscape cookie file, as the property `lines` returns them */
  constructor(lines: readonly string[]) {
    for (const line of lines) this.add(line)
  }

  /** Returns the value of the header Cookie for a request; undefined if there is no cookie that may be sent. */
  headerFor(url: string): string | undefined {
    const texts = this.#jar.getCookiesSync(withoutDot(url)).map((cookie) => cookie.cookieString())
    return texts.filter((text) => HEADER_VALUE.test(text)).join('; ') || undefined
  }

  /** Stores the cookies of the Set-Cookie headers of a response. */
  store(url: string, setCookies: readonly string[]): void {
    for (const text of setCookies.slice(0, MAX_PER_RESPONSE)) {
      const cookie = this.#parse(text)
      if (cookie !== undefined && !this.#overwritesSecure(cookie, url)) this.#set(cookie, url)
    }
  }

  /** Adds a cookie from a line of a Netscape cookie file. Returns false if it is invalid. */
  add(line: string): boolean {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    const fields = (isHttpOnly ? line.slice(HTTP_ONLY.length) : line).split('\t')
    const [host = '', subdomains, path = '/', secure, expiry = '', key = '', value = ''] = fields
    if (fields.length < 6 || fields.length > 7 || !EXPIRY.test(expiry)) return false
    const domain = withoutBrackets(host.replace(/^\./, ''))
    const seconds = Math.min(Number(expiry), MAX_EXPIRY)
    const cookie = new this.#cookies.Cookie({
      key,
      value,
      path,
      secure: isTrue(secure),
      httpOnly: isHttpOnly,
      domain: isTrue(subdomains) ? domain : null,
      expires: seconds <= 0 ? 'Infinity' : new Date(seconds * 1_000),
    })
    const origin = `https://${withBrackets(domain)}`
    if (!URL.canParse(`${origin}/`)) return false
    this.#set(cookie, `${origin}${path}`, true)
    return true
  }

  /** Returns the lines of a Netscape cookie file: domain, subdomains, path, secure, expiry, name, value. */
  get lines(): string[] {
    return this.#alive().map((cookie) => {
      const { domain, hostOnly, httpOnly, key, path, secure, value } = cookie
      const host = `${httpOnly ? HTTP_ONLY : ''}${hostOnly ? '' : '.'}${domain}`
      const time = cookie.expiryTime() ?? Number.POSITIVE_INFINITY
      const expiry = Number.isFinite(time) ? Math.min(Math.ceil(time / 1_000), MAX_EXPIRY) : 0
      return [host, flag(!hostOnly), path, flag(secure), expiry, key, value].join('\t')
    })
  }

  /** Parses a Set-Cookie header. Returns undefined if it is invalid or too long. */
  #parse(header: string): Cookie | undefined {
    if (header.length > MAX_HEADER_LENGTH) return undefined
    const cookie = this.#cookies.Cookie.parse(detachedCopy(header))
    if (cookie === undefined) return undefined
    if (cookie.key.length + cookie.value.length > MAX_COOKIE_LENGTH) return undefined
    if (cookie.domain !== null) cookie.domain = withoutBrackets(cookie.domain)
    return withFixedExpiry(cookie)
  }

  /**
   * Returns whether a cookie that is set over http would take the place of one that only https is sent. RFC 6265bis, 5.7,
   * step 16, forbids that: a page that a site still has on http would end the session of a login.
   */
  #overwritesSecure(cookie: Cookie, url: string): boolean {
    if (!url.startsWith('http:')) return false
    const page = withoutDot(url)
    const isSecure = (each: Cookie) => each.key === cookie.key && each.secure && each.TTL() > 0
    // A host of loopback is sent such cookies over http, too.
    if (this.#jar.getCookiesSync(page).some(isSecure)) return false
    const { hostname, pathname } = new URL(page)
    const host = cookie.domain ?? hostname
    const path = cookie.path?.startsWith('/') ? cookie.path : this.#cookies.defaultPath(pathname)
    const isReplaced = (each: Cookie) =>
      isSecure(each) && this.#cookies.pathMatch(path, each.path ?? '/')
    const isRelated = ({ domain }: Cookie) =>
      host === domain || isBelow(host, domain ?? '') || isBelow(domain ?? '', host)
    return [...this.#kept].some((each) => isRelated(each) && isReplaced(each))
  }

  /** @param isOwn true for a cookie of the user, which the bounds don't apply to */
  #set(cookie: Cookie, url: string, isOwn = false): void {
    const stored = this.#put(cookie, url)
    if (stored === undefined) return
    // Only the stored cookie has its final domain and path. If it has expired, the site has withdrawn it.
    if (stored.TTL() > 0 && this.#keepWithinBounds(stored, isOwn)) return
    this.#remove(stored)
  }

  /** Removes a cookie. Also removes the store's entries of its path and its domain, which may be empty now. */
  #remove(cookie: Cookie): void {
    this.#kept.delete(cookie)
    const { store } = this.#jar
    const { domain, path, key } = cookie
    const host = domain ?? ''
    if (this.#kept.hasPath(host, path)) store.removeCookie(domain, path, key, () => {})
    else store.removeCookies(host, this.#kept.hasDomain(host) ? path : null, () => {})
  }

  /** Stores a cookie. Returns it as stored; undefined if it is for another site, or for all of a public suffix. */
  #put(cookie: Cookie, url: string): Cookie | undefined {
    try {
      const store = () => this.#jar.setCookieSync(cookie, withoutDot(url), { ignoreError: true })
      const stored = store()
      if (stored !== undefined || cookie.cdomain() !== new URL(withoutDot(url)).hostname) {
        return stored
      }
      // A host that is a public suffix, such as `intranet`, may name itself (RFC 6265, 5.3, step 5).
      cookie.domain = null
      return store()
    } catch {
      return undefined
    }
  }

  /** Lists a cookie as kept. Returns false if it is beyond the bounds. */
  #keepWithinBounds(cookie: Cookie, isOwn: boolean): boolean {
    const isNew = this.#kept.add(cookie)
    if (isOwn || !isNew || this.#kept.isWithinBounds(cookie)) return true
    this.#removeExpired()
    return this.#kept.isWithinBounds(cookie)
  }

  /** Removes expired cookies (RFC 6265, 5.3). Since it checks all cookies, it does so at most once a second. */
  #removeExpired(): void {
    const now = Date.now()
    // The clock may have been set back.
    if (Math.abs(now - this.#cleaned) < CLEANING_MS) return
    this.#cleaned = now
    for (const cookie of [...this.#kept]) {
      if ((cookie.expiryTime() ?? 0) <= now) this.#remove(cookie)
    }
  }

  #alive(): Cookie[] {
    const now = Date.now()
    const stored = this.#jar.serializeSync()?.cookies ?? []
    return stored
      .flatMap((each) => this.#cookies.Cookie.fromJSON(each) ?? [])
      .filter((cookie) => (cookie.expiryTime() ?? 0) > now)
      .filter(({ key, path, value }) => !CONTROL.test(`${key}${path}${value}`))
  }
}

/** Returns a URL without the dot at the end of its host name, with which tough-cookie finds no cookies. */
function withoutDot(url: string): string {
  return url.replace(/^(\w+:\/\/[^/:]+)\.(?=[/:])/, '$1')
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`)
}

/** Replaces Max-Age by a date. tough-cookie counts it from the last time that the cookie was sent. */
function withFixedExpiry(cookie: Cookie): Cookie {
  if (cookie.maxAge === null) return cookie
  const ms = Number(cookie.maxAge) * 1_000
  cookie.expires = new Date(ms > 0 ? Math.min(Date.now() + ms, MAX_EXPIRY * 1_000) : 0)
  cookie.maxAge = null
  return cookie
}

/** Some programs write the values of a cookie file in lower case. */
function isTrue(written: string | undefined): boolean {
  return written?.toUpperCase() === 'TRUE'
}

function flag(value: boolean | null): string {
  return value === true ? 'TRUE' : 'FALSE'
}
