import { Parser } from 'htmlparser2'
import { MAX_HREF_LENGTH } from './max-href-length.ts'

/** Root elements of sitemaps and feeds, without prefix and in lower case. */
const ROOTS: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf'])

/** Elements whose text is a URL, as `parent>name`. The parent excludes `image:loc`. */
const TEXTS: ReadonlySet<string> = new Set([
  'url>loc',
  'urlset>loc',
  'sitemap>loc',
  'sitemapindex>loc',
  'item>link',
])
/** Elements whose `loc` may be missing: some authors write the URL itself there. */
const WITHOUT_LOC: ReadonlySet<string> = new Set(['urlset>url', 'sitemapindex>sitemap'])
/** Matches a declaration or instruction that lacks the `?` at its end. To the parser, it would go on to the next `?>`. */
const UNCLOSED = /<\?([^<>]*[^<>?])>/g
const ABSOLUTE = /^\s*https?:\/\//i

/** Elements whose `href` is a URL of a page: alternates of a page, and entries of Atom. */
const LINKS: ReadonlySet<string> = new Set(['url>link', 'entry>link'])

/** Maximum depth of elements. URLs are never deeper, and the parser's time per tag grows with the depth. */
const MAX_DEPTH = 100

/**
 * Reads a sitemap or a feed, tag by tag, with any prefixes: `urlset` and `sitemapindex` of sitemaps.org, RSS 2.0,
 * RSS 1.0 and Atom. XML that is not well-formed is read as far as possible. Only the five entities of XML are decoded.
 */
export class XmlReader {
  /** False until the root element. */
  isSitemap = false
  readonly #onEntry: (href: string) => void
  readonly #parser: Parser
  readonly #open: string[] = []
  #text: string | undefined
  #mayBeOther = false
  #href: string | undefined
  #rel = ''
  isDone = false

  constructor(onEntry: (href: string) => void) {
    this.#onEntry = onEntry
    const handler = {
      onopentagname: (name: string) => this.#openTag(localName(name)),
      onattribute: (name: string, value: string) => this.#attribute(localName(name), value),
      ontext: (text: string) => this.#addText(text),
      onclosetag: () => this.#closeTag(),
    }
    this.#parser = new Parser(handler, { xmlMode: true })
  }

  write(text: string): void {
    if (!this.isDone) this.#parser.write(text.replace(UNCLOSED, '<?$1?>'))
  }

  /** Drops a URL that no tag follows, since it may be incomplete. */
  end(): void {}

  #openTag(name: string): void {
    this.#flush()
    this.isSitemap ||= ROOTS.has(name)
    if (this.#open.length >= MAX_DEPTH || (!this.isSitemap && name === 'html')) {
      this.isDone = true
      this.#parser.pause()
    }
    const place = `${this.#open.at(-1)}>${name}`
    this.#open.push(name)
    if (!this.isSitemap) return
    if (LINKS.has(place)) this.#href = ''
    this.#mayBeOther = WITHOUT_LOC.has(place)
    if (this.#mayBeOther || TEXTS.has(place)) this.#text = ''
  }

  #attribute(name: string, value: string): void {
    if (this.#href === undefined) return
    if (name === 'href') this.#href = value
    if (name === 'rel') this.#rel = value
  }

  #addText(text: string): void {
    if (this.#text !== undefined && this.#text.length <= MAX_HREF_LENGTH) this.#text += text
  }

  #closeTag(): void {
    this.#flush()
    this.#open.pop()
  }

  /** Reports the URL read so far. Called at any next tag, since the end tag may be missing. */
  #flush(): void {
    const isUrl = !this.#mayBeOther || ABSOLUTE.test(this.#text ?? '')
    if (this.#text !== undefined && isUrl) this.#report(this.#text)
    if (this.#href !== undefined && isAlternate(this.#rel)) this.#report(this.#href)
    this.#text = this.#href = undefined
    this.#rel = ''
  }

  #report(text: string): void {
    const href = text.trim()
    if (href !== '' && href.length <= MAX_HREF_LENGTH) this.#onEntry(href)
  }
}

/** Returns whether a link is an alternate. So is one without a `rel` (RFC 4287, 4.2.7.2). */
function isAlternate(rel: string): boolean {
  return rel.trim() === '' || /(?:^|\s)alternate(?:\s|$)/i.test(rel)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
