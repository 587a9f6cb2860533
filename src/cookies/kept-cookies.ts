import { registrableDomain } from '../url/registrable-domain.ts'

/** Maximum cookies of a domain: the least that RFC 6265 (6.1) requires. Later ones are dropped. */
const MAX_PER_DOMAIN = 50
/** Maximum cookies of all hosts of a registrable domain, which can have any number of hosts. */
const MAX_PER_SITE = 500
const MAX_COOKIES = 5_000

/** The properties that identify a cookie. */
interface CookieIdentity {
  readonly domain: string | null
  readonly path: string | null
  readonly key: string
}

/** Lists the cookies that a jar keeps, by domain, and counts them against the bounds. */
export class KeptCookies<Cookie extends CookieIdentity> {
  /** Cookies by domain, then by path and name. */
  readonly #byDomain = new Map<string, Map<string, Cookie>>()
  /** The number of cookies by registrable domain. */
  readonly #ofSite = new Map<string, number>()
  #size = 0

  /** Adds a cookie, or replaces an older one. Returns true if it is new. */
  add(cookie: Cookie): boolean {
    const domain = cookie.domain ?? ''
    const kept = this.#byDomain.get(domain) ?? new Map<string, Cookie>()
    const isNew = !kept.has(idOf(cookie))
    this.#byDomain.set(domain, kept.set(idOf(cookie), cookie))
    if (!isNew) return false
    const site = registrableDomain(domain)
    this.#ofSite.set(site, (this.#ofSite.get(site) ?? 0) + 1)
    this.#size++
    return true
  }

  delete(cookie: Cookie): void {
    const domain = cookie.domain ?? ''
    const kept = this.#byDomain.get(domain)
    if (!kept?.delete(idOf(cookie))) return
    const site = registrableDomain(domain)
    const ofSite = (this.#ofSite.get(site) ?? 1) - 1
    if (ofSite > 0) this.#ofSite.set(site, ofSite)
    else this.#ofSite.delete(site)
    this.#size--
    if (kept.size === 0) this.#byDomain.delete(domain)
  }

  /** Returns whether the domain and the site of a cookie, and the jar, have no more cookies than allowed. */
  isWithinBounds({ domain }: Cookie): boolean {
    const host = domain ?? ''
    const ofHost = this.#byDomain.get(host)?.size ?? 0
    const ofSite = this.#ofSite.get(registrableDomain(host)) ?? 0
    return ofHost <= MAX_PER_DOMAIN && ofSite <= MAX_PER_SITE && this.#size <= MAX_COOKIES
  }

  hasDomain(domain: string): boolean {
    return this.#byDomain.has(domain)
  }

  hasPath(domain: string, path: string | null): boolean {
    const ids = this.#byDomain.get(domain)?.keys() ?? []
    return [...ids].some((id) => id.startsWith(`${path}\t`))
  }

  *[Symbol.iterator](): Generator<Cookie> {
    for (const kept of this.#byDomain.values()) yield* kept.values()
  }
}

/** Returns an id that is unique among the cookies of a domain. */
function idOf({ path, key }: CookieIdentity): string {
  return `${path}\t${key}`
}
