import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { srcsetUrls } from '../../url/srcset.ts'
import { cssUrls } from './css-urls.ts'
import { LAZY_ATTRIBUTES, lazyImagesIn } from './lazy-images.ts'

/** Something that a page or a style sheet loads, as it is written there. */
export interface LoadedAsset {
  readonly url: string
  readonly isImage: boolean
}

/** Finds what a decoded page loads by its styles, and images that its scripts load late. */
export type PageStyles = (html: string) => readonly LoadedAsset[]

/** URLs of a page or style sheet that are looked at. */
const MAX_URLS = 10_000
/** Characters of a style sheet, or of all styles of a page, that are read: 0.15 s for each Mi. */
const MAX_CSS = 4 * 2 ** 20
/** Longer values are no useful references. */
const MAX_VALUE = 65_536
/** Without one of these, a style loads nothing. */
const CSS_LOADS = /url[(&]|@import|image-set/i
const LAZY = [...LAZY_ATTRIBUTES].map((name) => name.replace(/^data-/, '')).join('|')
/** Without one of these, most pages have nothing to find. */
const MAY_LOAD = new RegExp(
  `${CSS_LOADS.source}|(?:og|twitter):image|(?:data-|(?=nitro-))(?:${LAZY})`,
  'i',
)
/** Attributes that may load something. */
const LOADING: ReadonlySet<string> = new Set(['style', ...LAZY_ATTRIBUTES])
/** Attributes of `<meta>` that name an image for previews of the page. */
const META: ReadonlySet<string> = new Set(['property', 'name', 'content'])
const PREVIEW = /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/i

/** Returns what a style sheet loads, each URL once: style sheets, images and fonts. */
export function styleSheetAssets(css: string): LoadedAsset[] {
  const found = new AssetList()
  found.addCss(css)
  return found.assets
}

/**
 * Returns what a page loads by `<style>`, by `style` attributes, and by attributes in which sites keep the URLs of images
 * until they scroll into view, and the images of its previews (`og:image`).
 */
export const pageStyles: PageStyles = (html) => {
  if (!MAY_LOAD.test(html)) return []
  const reader = new StyleReader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, reader)
  tokenizer.write(html)
  tokenizer.end()
  return reader.found.assets
}

/** Assets that were found, each once. */
class AssetList {
  readonly #byUrl = new Map<string, LoadedAsset>()
  #cssLeft = MAX_CSS

  get assets(): LoadedAsset[] {
    return [...this.#byUrl.values()]
  }

  add(url: string, isImage: boolean): void {
    if (url === '' || url.startsWith('#') || this.#byUrl.size >= MAX_URLS) return
    if (!this.#byUrl.has(url) || isImage) this.#byUrl.set(url, { url, isImage })
  }

  addCss(css: string): void {
    const read = css.slice(0, this.#cssLeft)
    this.#cssLeft -= read.length
    for (const { url, isImage } of cssUrls(read)) this.add(url, isImage)
  }

  addSrcset(srcset: string): void {
    for (const url of srcsetUrls(srcset, MAX_URLS - this.#byUrl.size)) this.add(url, true)
  }
}

/** Collects the assets of a page tag by tag. The content of a template is no part of the page. */
class StyleReader implements TokenizerCallbacks {
  readonly found = new AssetList()
  readonly #html: string
  #tag = ''
  #name = ''
  #value = ''
  #templates = 0
  #isTemplateShown = false
  /** Values of attributes of the open tag that load something. */
  #values: (readonly [name: string, value: string])[] = []
  /** Start of the content of the open style element. */
  #styleStart: number | undefined

  constructor(html: string) {
    this.#html = html
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase()
    this.#values = []
    this.#isTemplateShown = false
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase()
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length <= MAX_VALUE) this.#value += this.#html.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint)
  }

  onattribend(): void {
    const value = this.#value
    if (this.#tag === 'template' && this.#name === 'shadowrootmode')
      this.#isTemplateShown = /^(?:open|closed)$/i.test(value)
    const isLoading = LOADING.has(this.#name) || (this.#tag === 'meta' && META.has(this.#name))
    if (isLoading && value !== '' && value.length <= MAX_VALUE)
      this.#values.push([this.#name, value])
  }

  onopentagend(end: number): void {
    if (this.#tag === 'template' && (this.#templates > 0 || !this.#isTemplateShown))
      this.#templates++
    if (this.#templates > 0) return
    if (this.#tag === 'style') this.#styleStart = end + 1
    if (this.#values.length > 0) this.#addValues()
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end)
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase()
    if (name === 'template' && this.#templates > 0) this.#templates--
    this.#endStyle(start - 2)
  }

  onend(): void {
    this.#endStyle(this.#html.length)
  }

  /** Adds what the attributes of the open tag load. Only the first one of a name counts. */
  #addValues(): void {
    const values = new Map(this.#values.toReversed())
    if (this.#tag === 'meta') this.#addPreview(values)
    for (const [name, value] of [...values].toReversed()) {
      const kind = name === 'style' ? 'css' : lazyImagesIn(this.#tag, name, value)
      if (kind === 'css' && CSS_LOADS.test(value)) this.found.addCss(value)
      // The sources of videos may have such names, too.
      else if (kind === 'url') this.found.add(value.trim(), this.#tag !== 'source')
      else if (kind === 'srcset') this.found.addSrcset(value)
    }
  }

  #addPreview(values: ReadonlyMap<string, string>): void {
    const isPreview = ['property', 'name'].some((name) => PREVIEW.test(values.get(name) ?? ''))
    if (isPreview) this.found.add(values.get('content')?.trim() ?? '', true)
  }

  #endStyle(end: number): void {
    if (this.#styleStart === undefined) return
    this.found.addCss(this.#html.slice(this.#styleStart, end))
    this.#styleStart = undefined
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}
}
