import { canonicalize } from './canonicalize.ts'
import { BaseDirectory } from './join-href.ts'
import { encodeQuery } from './legacy-query.ts'

/**
 * Maximum length of a URL that is crawled, in characters. RFC 9110 section 4.1 recommends support for 8,000; common
 * servers refuse a request line over 8 KiB.
 */
export const MAX_URL_LENGTH = 8_000

/** Matches hrefs with other schemes. They aren't passed to the parser, which would copy a `data:` URL of any length. */
export const OTHER_SCHEME: RegExp = /^(?!https?:)[a-z][a-z0-9+.-]*:/i

/** Schemes of `<base>` URLs that are ignored like an invalid `<base>` (HTML section 4.2.3). */
export const IGNORED_BASE: RegExp = /^(?:data|javascript):$/

export interface ResolverOptions {
  /** The `href` of the page's first `<base href>`, as written in the page. */
  readonly baseHref?: string | undefined
  /** The document's encoding: a label of the WHATWG Encoding standard. Default: utf-8. */
  readonly encoding?: string | undefined
}

/** The reason why an href can't be resolved to a URL. */
export type HrefFailure = 'scheme' | 'invalid-url' | 'limit'

/** Resolves the links of one page as browsers do (WHATWG URL and HTML standards). */
export class LinkResolver {
  readonly #encoding: string | undefined
  readonly #base: string
  /** The URL of a link that is only a fragment; undefined if the base is not http(s). */
  readonly #self: string | undefined
  readonly #directory: BaseDirectory | undefined

  /** @param pageUrl canonical URL of the page */
  constructor(pageUrl: string, { baseHref, encoding }: ResolverOptions = {}) {
    this.#encoding = encoding === undefined || /^utf-?8$/i.test(encoding) ? undefined : encoding
    const base = baseHref === undefined ? null : this.#parse(baseHref, pageUrl)
    if (base === null || IGNORED_BASE.test(base.protocol)) this.#self = this.#base = pageUrl
    else {
      this.#self = canonicalHttp(base)
      this.#base = this.#self ?? base.href
    }
    this.#directory = this.#self === undefined ? undefined : new BaseDirectory(this.#self)
  }

  /**
   * Resolves an href to a canonical http(s) URL. Returns undefined if the URL has another scheme, is invalid or is
   * longer than MAX_URL_LENGTH. The result does not keep the text around the href in memory.
   */
  resolve(href: string): string | undefined {
    return withinMaxLength(this.#directory?.join(href) ?? this.#canonical(href))
  }

  /** Returns why `resolve` returned undefined for an href. */
  failureReason(href: string): HrefFailure {
    if (OTHER_SCHEME.test(href)) return 'scheme'
    const url = this.#parse(withEmptyFragment(href), this.#base)
    if (url === null) return 'invalid-url'
    return canonicalHttp(url) === undefined ? 'scheme' : 'limit'
  }

  #canonical(href: string): string | undefined {
    if (href.startsWith('#')) return this.#self
    if (OTHER_SCHEME.test(href)) return undefined
    const url = this.#parse(withEmptyFragment(href), this.#base)
    return url === null ? undefined : canonicalHttp(url)
  }

  #parse(href: string, base: string): URL | null {
    const encoded = this.#encoding === undefined ? href : encodeQuery(href, this.#encoding)
    // The parser drops the space. Without it, Node returns an unchanged href as a slice of the
    // page, which keeps the whole page in memory.
    return URL.parse(` ${encoded}`, base)
  }
}

function withinMaxLength(url: string | undefined): string | undefined {
  return url === undefined || url.length > MAX_URL_LENGTH ? undefined : url
}

function canonicalHttp(url: URL): string | undefined {
  return url.protocol === 'http:' || url.protocol === 'https:' ? canonicalize(url) : undefined
}

/** Empties the fragment, but keeps the `#`: otherwise the parser would drop a space before it as trailing space. */
function withEmptyFragment(href: string): string {
  const hash = href.indexOf('#')
  return hash === -1 ? href : href.slice(0, hash + 1)
}
