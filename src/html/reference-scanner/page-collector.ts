import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { detachedCopy } from '../../encoding/detached-copy.ts'
import { refreshUrl } from '../../url/refresh.ts'
import { assetsOf, imagesOf, svgAssetsOf, svgImagesOf } from './assets.ts'
import { attributeText, elementText } from './decode-text.ts'
import { type LinkKind, Outlinks } from './outlinks.ts'
import type { PageBytes } from './page-bytes.ts'
import { declaredEncoding } from './prescan.ts'
import { relKeywords } from './rel-keywords.ts'
import { type AttributeName, MAX_VALUE, type StartTag } from './start-tag.ts'
import type { TextSamples } from './text-samples.ts'

export interface ScanOptions {
  /** Maximum number of links and assets to keep. The rest of the page is still read, to find its title for example. */
  readonly maxLinks: number
  /** Product tokens in lower case. `<meta>` elements with these names are kept in addition to `robots`. */
  readonly agents?: readonly string[]
  /** True to find assets, too; `images` to find only the images among them. */
  readonly assets?: boolean | 'images'
  /** Collects samples of the texts and media of the page. */
  readonly samples?: TextSamples | undefined
  /** Decodes a piece of the page. */
  readonly decode: DecodeBytes
}

/** The content of a `<meta>` whose name is `robots` or a product token. */
export interface MetaRobots {
  readonly name: string
  readonly content: string
}

export interface ScannedPage {
  readonly outlinks: Outlinks
  /** The URLs that a browser would load for the page, in page order, if requested. They may be slices of the page. */
  readonly assets: readonly string[]
  /** `href` of the first `<base>` that has one. */
  readonly base?: string
  /** The first `<title>`, with white space stripped and collapsed. */
  readonly title?: string
  readonly robots: readonly MetaRobots[]
  /** `href` of the first `<link rel=canonical>`. */
  readonly canonical?: string
  /** The encoding that is declared by the first `<meta>` with a declaration. */
  readonly charset?: string
}

const ANCHOR: LinkKind = { tag: 'a', attribute: 'href' }
const OLD_ANCHOR: LinkKind = { tag: 'a', attribute: 'xlink:href' }
/** The HTML tags that are links. */
const LINKS: ReadonlyMap<string, LinkKind> = new Map<string, LinkKind>([
  ['a', ANCHOR],
  ['area', { tag: 'area', attribute: 'href' }],
  ['iframe', { tag: 'iframe', attribute: 'src' }],
  ['frame', { tag: 'frame', attribute: 'src' }],
])

export const MAX_TITLE = 1_000
export const MAX_ROBOTS = 100

/** Collects the parts of a page from the tags that the scanner finds. */
export class PageCollector {
  readonly #options: ScanOptions
  readonly #outlinks: Outlinks
  readonly #assets: string[] = []
  readonly #robots: MetaRobots[] = []
  #base: string | undefined
  #title: string | undefined
  #canonical: string | undefined
  #charset: string | undefined
  #refreshes = false

  constructor(page: PageBytes, options: ScanOptions) {
    this.#options = options
    this.#outlinks = new Outlinks(page, options.decode)
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
    const kind = LINKS.get(name)
    if (kind !== undefined) this.#addLink(kind, tag)
    else if (name === 'meta') this.#addMeta(tag)
    else if (name === 'base') this.#base ??= copied(this.#value(tag, 'href'))
    else if (name === 'link') this.#addCanonical(tag)
    const { assets } = this.#options
    if (assets) this.#addAssets(assets === 'images' ? imagesOf : assetsOf, name, tag)
  }

  /** Adds an element of SVG or MathML. The `href` of an `<a>` takes precedence over the older `xlink:href`. */
  addForeign(name: string, tag: StartTag): void {
    if (name === 'a') this.#addLink(tag.has('href') ? ANCHOR : OLD_ANCHOR, tag)
    else if (this.#options.assets) {
      const find = this.#options.assets === 'images' ? svgImagesOf : svgAssetsOf
      this.#addAssets(find, name, tag)
    }
  }

  addTitle(text: string, start: number, end: number): void {
    if (this.#title !== undefined) return
    const raw = text.slice(start, Math.min(end, start + MAX_VALUE))
    this.#title = detachedCopy(elementText(raw, this.#options.decode, MAX_TITLE))
  }

  get #room(): number {
    return this.#options.maxLinks - this.#outlinks.length - this.#assets.length
  }

  #addAssets(find: typeof assetsOf, name: string, tag: StartTag): void {
    for (const url of find(name, (attribute) => this.#value(tag, attribute), this.#room)) {
      this.#assets.push(url)
    }
  }

  #addLink(kind: LinkKind, tag: StartTag): void {
    if (this.#room > 0) this.#outlinks.add(kind, tag)
  }

  #addMeta(tag: StartTag): void {
    this.#charset ??= declaredEncoding(tag)
    const content = this.#value(tag, 'content')
    if (content === undefined) return
    if (this.#value(tag, 'http-equiv')?.toLowerCase() === 'refresh') this.#addRefresh(content)
    const name = this.#value(tag, 'name')?.toLowerCase()
    if (name === undefined || this.#robots.length >= MAX_ROBOTS) return
    if (name === 'robots' || this.#options.agents?.includes(name)) {
      this.#robots.push({ name: detachedCopy(name), content: detachedCopy(content) })
    }
  }

  /** Adds the link of a refresh. Browsers obey only the first valid refresh. */
  #addRefresh(content: string): void {
    const href = this.#refreshes ? undefined : refreshUrl(content)
    if (href === undefined) return
    this.#refreshes = true
    if (href === '' || this.#room <= 0) return
    this.#outlinks.addRefresh(href)
  }

  #addCanonical(tag: StartTag): void {
    const types = relKeywords(this.#value(tag, 'rel'))
    if (types.includes('canonical')) this.#canonical ??= copied(this.#value(tag, 'href'))
  }

  #value(tag: StartTag, name: AttributeName): string | undefined {
    const raw = tag.raw(name)
    if (raw === undefined || raw.length > MAX_VALUE) return undefined
    return attributeText(raw, this.#options.decode)
  }
}

function copied(text: string | undefined): string | undefined {
  return text === undefined ? undefined : detachedCopy(text)
}
