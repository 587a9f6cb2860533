/** Directives of one page to crawlers, in addition to robots.txt. */
export interface PageDirectives {
  /** Do not show the page in an index. */
  readonly noindex: boolean
  /** Do not follow its links. */
  readonly nofollow: boolean
}

/** Directives with a value after a colon. Any other name before a colon is that of a crawler. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
])

/**
 * A crawler's name, optionally with a version. It can't be the part of a date before a colon, which
 * begins with a digit.
 */
const AGENT = /^(?:\*|[a-z_-]\S*)$/
const TOKEN = /^[a-z_-]+/
/** Some authors separate directives by semicolons. */
const SEPARATORS = /[\s;]+/
/** Text after a crawler's name. A number would be the value of an unknown directive instead. */
const DIRECTIVE = /^\s*(?:[a-z]|$)/

/**
 * Combines the directives of the X-Robots-Tag header with those of `<meta>` elements named `robots`
 * or like the product token. Each of them can only add restrictions. There is no standard: this is
 * the syntax that Google documents ("Robots meta tag, data-nosnippet, and X-Robots-Tag
 * specifications"). White space and semicolons separate words like commas do.
 * @param header as the fetcher returns it
 */
export function pageDirectives(
  metas: readonly { readonly name: string; readonly content: string }[],
  header: string | readonly string[] | undefined,
  productToken: string,
): PageDirectives {
  const reader = new DirectiveReader(productToken)
  for (const { name, content } of metas) {
    if (reader.isAddressed(name)) reader.read(content)
  }
  const fields = typeof header === 'string' ? [header] : (header ?? [])
  for (const field of fields) reader.read(field)
  return { noindex: reader.noindex, nofollow: reader.nofollow }
}

class DirectiveReader {
  noindex = false
  nofollow = false
  readonly #token: string

  constructor(productToken: string) {
    this.#token = productToken.toLowerCase()
  }

  /** Returns whether a name addresses all crawlers or this one. */
  isAddressed(name: string): boolean {
    const lower = name.toLowerCase()
    return lower === 'robots' || lower === '*' || TOKEN.exec(lower)?.[0] === this.#token
  }

  /** Reads a field. A crawler's name applies to the directives after it, up to the next name. */
  read(field: string): void {
    let isMeant = true
    for (const part of field.toLowerCase().split(',')) isMeant = this.#readPart(part, isMeant)
  }

  /** @returns whether the following parts address this crawler */
  #readPart(part: string, wasMeant: boolean): boolean {
    let isMeant = wasMeant
    let rest = part
    for (let colon = rest.indexOf(':'); colon >= 0; colon = rest.indexOf(':')) {
      const words = rest.slice(0, colon).split(SEPARATORS).filter(Boolean)
      const name = words.pop() ?? ''
      if (isMeant) this.#apply(words)
      rest = rest.slice(colon + 1)
      if (WITH_VALUE.has(name)) rest = rest.replace(/^\s*\S+/, '')
      else if (!AGENT.test(name) || !DIRECTIVE.test(rest)) return isMeant
      else isMeant = this.isAddressed(name)
    }
    if (isMeant) this.#apply(rest.split(SEPARATORS))
    return isMeant
  }

  #apply(words: readonly string[]): void {
    for (const word of words) {
      if (word === 'noindex' || word === 'none') this.noindex = true
      if (word === 'nofollow' || word === 'none') this.nofollow = true
    }
  }
}
