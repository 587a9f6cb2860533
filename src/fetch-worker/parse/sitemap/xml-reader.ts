import { Parser } from 'htmlparser2'
import { MAX_URL_LENGTH } from '../../../url/resolve.ts'
import type { SitemapEntry } from './sitemap-entry.ts'

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
/** Elements whose text counts only if it is absolute: some authors write no `loc`, and a `guid` may be any text. */
const ABSOLUTE_TEXTS: ReadonlySet<string> = new Set([
  'urlset>url',
  'sitemapindex>sitemap',
  'item>guid',
])
/** Matches a declaration or instruction that lacks the `?` at its end. To the parser, it would go on to the next `?>`. */
const UNCLOSED = /<\?([^<>]*[^<>?])>/g
const ABSOLUTE = /^\s*https?:\/\//i

/** Elements whose text is the time at which a URL was last modified: in sitemaps, Atom, RSS 2.0 and RSS 1.0. */
const TIMES: ReadonlySet<string> = new Set([
  'url>lastmod',
  'sitemap>lastmod',
  'entry>updated',
  'item>pubdate',
  'item>date',
])
/** Elements that contain the URLs of one entry, and their time. */
const ENTRIES: ReadonlySet<string> = new Set(['url', 'sitemap', 'entry', 'item'])
/** Maximum URLs of an entry that wait for its time. */
const MAX_WAITING = 1_000

/** Elements whose `href` is a URL of a page: alternates of a page, and entries of Atom. */
const LINKS: ReadonlySet<string> = new Set(['url>link', 'entry>link'])

/** Maximum characters of a base URL. Each URL below it is resolved against it. */
const MAX_BASE_LENGTH = 2_000
/** Maximum number of base URLs of a file. */
const MAX_BASES = 10_000

/** Maximum depth of elements. URLs are never deeper, and the parser's time per tag grows with the depth. */
const MAX_DEPTH = 100

interface OpenElement {
  readonly name: string
  /** The base of its URLs; undefined where no `xml:base` applies, so that they are relative to the file. */
  base: string | undefined
}

/**
 * Reads a sitemap or a feed, tag by tag, with any prefixes: `urlset` and `sitemapindex` of sitemaps.org, RSS 2.0,
 * RSS 1.0 and Atom. Reports hrefs as written, except where `xml:base` applies. XML that is not well-formed is read as
 * far as possible. Only the five entities of XML are decoded.
 */
export class XmlReader {
  /** False until the root element. */
  isSitemap = false
  readonly #onEntry: (entry: SitemapEntry) => void
  readonly #url: string
  readonly #parser: Parser
  readonly #open: OpenElement[] = []
  /** The element whose text or `href` is being read, as `parent>name`. */
  #place = ''
  #text: string | undefined
  #href: string | undefined
  #rel = ''
  /** True if the open item of RSS has a link. */
  #hasLink = false
  /** The permanent link of the open item of RSS, for items without a link. */
  #guid: string | undefined
  /** The URLs of the open entry. */
  #waiting: string[] = []
  /** The time of the open entry. */
  #modified: string | undefined
  #bases = 0
  isDone = false

  /** @param url of the file */
  constructor(onEntry: (entry: SitemapEntry) => void, url: string) {
    this.#onEntry = onEntry
    this.#url = url
    const handler = {
      onopentagname: (name: string) => this.#openTag(localName(name)),
      onattribute: (name: string, value: string) => this.#attribute(name, value),
      ontext: (text: string) => this.#addText(text),
      onclosetag: () => this.#closeTag(),
    }
    this.#parser = new Parser(handler, { xmlMode: true })
  }

  write(text: string): void {
    if (!this.isDone) this.#parser.write(text.replace(UNCLOSED, '<?$1?>'))
  }

  /** Ends the last entry. Drops a URL that no tag follows, since it may be incomplete. */
  end(): void {
    this.#endEntry()
  }

  #openTag(name: string): void {
    this.#flush()
    this.isSitemap ||= ROOTS.has(name)
    if (this.#open.length >= MAX_DEPTH || (!this.isSitemap && name === 'html')) {
      this.isDone = true
      this.#endEntry()
      this.#parser.pause()
    }
    const parent = this.#open.at(-1)
    const place = `${parent?.name}>${name}`
    this.#open.push({ name, base: parent?.base })
    if (!this.isSitemap) return
    this.#place = place
    if (LINKS.has(place)) this.#href = ''
    if (TEXTS.has(place) || ABSOLUTE_TEXTS.has(place) || TIMES.has(place)) this.#text = ''
    // The end tag of the last entry may be missing.
    if (ENTRIES.has(name)) this.#endEntry()
    if (name !== 'item') return
    this.#hasLink = false
    this.#guid = undefined
  }

  #attribute(name: string, value: string): void {
    if (name === 'xml:base') this.#setBase(value)
    const local = localName(name)
    if (local === 'ispermalink' && value.trim() === 'false') this.#text = undefined
    if (this.#href === undefined) return
    if (local === 'href') this.#href = value
    if (local === 'rel') this.#rel = value
  }

  #setBase(value: string): void {
    const element = this.#open.at(-1)
    if (element === undefined || ++this.#bases > MAX_BASES) return
    const base = URL.parse(value, element.base ?? this.#url)?.href
    if (base !== undefined && base.length <= MAX_BASE_LENGTH) element.base = base
  }

  #addText(text: string): void {
    if (this.#text !== undefined && this.#text.length <= MAX_URL_LENGTH) this.#text += text
  }

  #closeTag(): void {
    this.#flush()
    const closed = this.#open.pop()?.name ?? ''
    if (closed === 'item' && !this.#hasLink && this.#guid !== undefined) this.#add(this.#guid)
    if (ENTRIES.has(closed)) this.#endEntry()
  }

  #endEntry(): void {
    for (const href of this.#waiting) this.#onEntry({ href, modified: this.#modified })
    this.#waiting = []
    this.#modified = undefined
  }

  #add(href: string): void {
    this.#waiting.push(href)
    if (this.#waiting.length >= MAX_WAITING) this.#endEntry()
  }

  /** Reports the URL read so far. Called at any next tag, since the end tag may be missing. */
  #flush(): void {
    const isUrl = !ABSOLUTE_TEXTS.has(this.#place) || ABSOLUTE.test(this.#text ?? '')
    if (TIMES.has(this.#place)) this.#modified ??= this.#text?.trim()
    else if (this.#text !== undefined && isUrl) this.#report(this.#text)
    if (this.#href !== undefined && isAlternate(this.#rel)) this.#report(this.#href)
    this.#text = this.#href = undefined
    this.#rel = ''
  }

  #report(text: string): void {
    const written = text.trim()
    const base = this.#open.at(-1)?.base
    const href = base === undefined ? written : (URL.parse(written, base)?.href ?? written)
    if (written === '' || href.length > MAX_URL_LENGTH) return
    if (this.#place === 'item>guid') this.#guid = href
    else this.#add(href)
    this.#hasLink ||= this.#place === 'item>link'
  }
}

/** Returns whether a link is an alternate. So is one without a `rel` (RFC 4287, 4.2.7.2). */
function isAlternate(rel: string): boolean {
  return rel.trim() === '' || /(?:^|\s)alternate(?:\s|$)/i.test(rel)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
