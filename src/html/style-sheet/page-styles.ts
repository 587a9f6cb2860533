import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { srcsetUrls } from '../../url/srcset.ts'
import { cssUrls } from './css-urls.ts'

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
/** Without one of these, most pages have nothing to find. */
const MAY_LOAD = /url[(&]|@import|image-set|data-src/i
/** Attributes that may load something. */
const LOADING: ReadonlySet<string> = new Set(['style', 'data-src', 'data-srcset'])

/** Returns what a style sheet loads, each URL once: style sheets, images and fonts. */
export function styleSheetAssets(css: string): LoadedAsset[] {
  const found = new AssetList()
  found.addCss(css)
  return found.assets
}

/**
 * Returns what a page loads by `<style>`, by `style` attributes, and by `data-src` and `data-srcset` of images, where
 * many sites keep the URLs of images until they scroll into view.
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
    if (LOADING.has(this.#name) && value !== '' && value.length <= MAX_VALUE)
      this.#values.push([this.#name, value])
  }

  onopentagend(end: number): void {
    if (this.#tag === 'template' && (this.#templates > 0 || !this.#isTemplateShown))
      this.#templates++
    if (this.#templates > 0) return
    if (this.#tag === 'style') this.#styleStart = end + 1
    const isPicture = this.#tag === 'img' || this.#tag === 'source'
    const firsts = new Map(this.#values.toReversed())
    const [style, src, srcset] = ['style', 'data-src', 'data-srcset'].map((name) =>
      firsts.get(name),
    )
    if (style !== undefined && MAY_LOAD.test(style)) this.found.addCss(style)
    if (isPicture && src !== undefined) this.found.add(src.trim(), this.#tag === 'img')
    if (isPicture && srcset !== undefined) this.found.addSrcset(srcset)
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
