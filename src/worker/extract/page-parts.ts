import { copy } from '../../url/copy.ts'
import { assetsOf, svgAssetsOf } from './assets.ts'
import type { DecodeBytes } from './encoding.ts'
import { linkText } from './link-text.ts'
import { linkTypes } from './link-types.ts'
import { declaredEncoding } from './prescan.ts'
import { refreshUrl } from './refresh.ts'
import type { Shown } from './shown.ts'
import type { AttributeName, StartTag } from './start-tag.ts'
import { attributeText, elementText } from './text.ts'

export interface ScanOptions {
  /** Outlinks and assets kept per page; the rest of the page is still read for its head. */
  readonly maxLinks: number
  /** Names of `<meta>` elements to keep beside `robots`, lower case: product tokens. */
  readonly agents?: readonly string[]
  /** Whether to look for assets, too. */
  readonly assets?: boolean
  /** Whether to keep what links show. */
  readonly linkTexts?: boolean
  /** Takes down what the page shows. */
  readonly shown?: Shown | undefined
  /** Decodes a piece of the page. */
  readonly decode: DecodeBytes
}

export type LinkTag = 'a' | 'area' | 'iframe' | 'frame' | 'meta'

/** A link as the page wrote it, in page order. Its strings may be slices of the page: resolve or copy. */
export interface Outlink {
  readonly href: string
  readonly tag: LinkTag
  readonly attribute: 'href' | 'src' | 'content' | 'xlink:href'
  readonly rel?: string
  /** What an `<a>` shows, where it shows something and somebody asks. */
  readonly text?: string
}

/** What `<meta name=robots>`, or one named after a product token, says. */
export interface MetaRobots {
  readonly name: string
  readonly content: string
}

export interface ScannedPage {
  readonly outlinks: readonly Outlink[]
  /** URLs of what a browser would load for the page, in page order, if asked for; as in `Outlink`. */
  readonly assets: readonly string[]
  /** `href` of the first `<base>` that has one. */
  readonly base?: string
  /** First `<title>`, white space stripped and collapsed. */
  readonly title?: string
  readonly robots: readonly MetaRobots[]
  /** `href` of the first `<link rel=canonical>`. */
  readonly canonical?: string
  /** The encoding that the first `<meta>` that declares one declares. */
  readonly charset?: string
}

/** Longer values are ignored: no URL, title or directive needs as much. */
const MAX_VALUE = 65_536
const MAX_TITLE = 1_000
const MAX_ROBOTS = 100

/** Gathers the parts of a page as the scanner comes upon their tags. */
export class PageParts {
  readonly #options: ScanOptions
  readonly #outlinks: Outlink[] = []
  readonly #assets: string[] = []
  readonly #robots: MetaRobots[] = []
  #base: string | undefined
  #title: string | undefined
  #canonical: string | undefined
  #charset: string | undefined
  #refreshes = false

  constructor(options: ScanOptions) {
    this.#options = options
  }

  page(): ScannedPage {
    return {
      outlinks: this.#outlinks,
      assets: this.#assets,
      robots: this.#robots,
      ...(this.#base !== undefined && { base: this.#base }),
      ...(this.#title !== undefined && { title: this.#title }),
      ...(this.#canonical !== undefined && { canonical: this.#canonical }),
      ...(this.#charset !== undefined && { charset: this.#charset }),
    }
  }

  add(name: string, tag: StartTag): void {
    if (name === 'a' || name === 'area') this.#addLink(name, 'href', tag)
    else if (name === 'iframe' || name === 'frame') this.#addLink(name, 'src', tag)
    else if (name === 'meta') this.#addMeta(tag)
    else if (name === 'base') this.#base ??= copied(this.#value(tag, 'href'))
    else if (name === 'link') this.#addCanonical(tag)
    if (this.#options.assets === true) this.#addAssets(assetsOf, name, tag)
  }

  /** An element of SVG or MathML; the `href` of an `<a>` wins over the older `xlink:href`. */
  addForeign(name: string, tag: StartTag): void {
    if (name === 'a') {
      this.#addLink('a', tag.raw('href') === undefined ? 'xlink:href' : 'href', tag)
    } else if (this.#options.assets === true) this.#addAssets(svgAssetsOf, name, tag)
  }

  addTitle(html: string, start: number, end: number): void {
    if (this.#title !== undefined) return
    const raw = html.slice(start, Math.min(end, start + MAX_VALUE))
    this.#title = elementText(raw, this.#options.decode, MAX_TITLE)
  }

  get #room(): number {
    return this.#options.maxLinks - this.#outlinks.length - this.#assets.length
  }

  #addAssets(find: typeof assetsOf, name: string, tag: StartTag): void {
    for (const url of find(name, (attribute) => this.#value(tag, attribute), this.#room)) {
      this.#assets.push(url)
    }
  }

  #addLink(tag: LinkTag, attribute: Outlink['attribute'], from: StartTag): void {
    const href = this.#value(from, attribute)
    if (href === undefined || this.#room <= 0) return
    const rel = this.#value(from, 'rel')
    const link = rel === undefined ? { href, tag, attribute } : { href, tag, attribute, rel }
    const isTold = this.#options.linkTexts === true && tag === 'a'
    const text = isTold ? linkText(from.html, from.end, this.#options.decode) : ''
    this.#outlinks.push(text === '' ? link : { ...link, text })
  }

  #addMeta(tag: StartTag): void {
    this.#charset ??= declaredEncoding(tag)
    const content = this.#value(tag, 'content')
    if (content === undefined) return
    if (this.#value(tag, 'http-equiv')?.toLowerCase() === 'refresh') this.#addRefresh(content)
    const name = this.#value(tag, 'name')?.toLowerCase()
    if (name === undefined || this.#robots.length >= MAX_ROBOTS) return
    if (name === 'robots' || this.#options.agents?.includes(name)) {
      this.#robots.push({ name: copy(name), content: copy(content) })
    }
  }

  /** A browser obeys the first valid refresh only. */
  #addRefresh(content: string): void {
    const href = this.#refreshes ? undefined : refreshUrl(content)
    if (href === undefined) return
    this.#refreshes = true
    if (href === '' || this.#room <= 0) return
    this.#outlinks.push({ href, tag: 'meta', attribute: 'content' })
  }

  #addCanonical(tag: StartTag): void {
    const types = linkTypes(this.#value(tag, 'rel'))
    if (types.includes('canonical')) this.#canonical ??= copied(this.#value(tag, 'href'))
  }

  #value(tag: StartTag, name: AttributeName): string | undefined {
    const raw = tag.raw(name)
    if (raw === undefined || raw.length > MAX_VALUE) return undefined
    return attributeText(raw, this.#options.decode)
  }
}

function copied(text: string | undefined): string | undefined {
  return text === undefined ? undefined : copy(text)
}
