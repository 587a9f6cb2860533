import { srcsetUrls } from '../../url/srcset.ts'
import { TokenReader } from '../token-reader.ts'
import { cssUrls } from './css-urls.ts'
import { LAZY_ATTRIBUTES, lazyImagesIn } from './lazy-images.ts'

/** A URL that a page or a style sheet loads, as written there. */
export interface LoadedAsset {
  readonly url: string
  readonly isImage: boolean
}

/** Finds the URLs that a decoded page loads by its styles, and the images that its scripts load lazily. */
export type FindStyleAssets = (html: string) => readonly LoadedAsset[]

/** Maximum number of URLs that are read from a page or a style sheet. */
const MAX_URLS = 10_000
/**
 * Maximum number of characters that are read from a style sheet, or from all styles of a page. 2^20 characters take
 * 0.15 s.
 */
const MAX_CSS = 4 * 2 ** 20
/** Maximum length of an attribute value. Longer values are ignored: no useful reference is that long. */
const MAX_VALUE = 65_536
/** Matches styles that may load something. */
const CSS_LOADS = /url[(&]|@import|image-set/i
const LAZY = [...LAZY_ATTRIBUTES].map((name) => name.replace(/^data-/, '')).join('|')
/** Matches pages that may contain something to find. Most pages don't. */
const MAY_LOAD = new RegExp(
  `${CSS_LOADS.source}|(?:og|twitter):image|(?:data-|(?=nitro-))(?:${LAZY})`,
  'i',
)
/** The attributes that are read. */
const LOADING: ReadonlySet<string> = new Set(['style', ...LAZY_ATTRIBUTES])
/** The attributes of `<meta>` that are read, to find an image for previews of the page. */
const META: ReadonlySet<string> = new Set(['property', 'name', 'content'])
const PREVIEW = /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/i

/** Returns the URLs that a style sheet loads, each once: style sheets, images and fonts. */
export function styleSheetAssets(css: string): LoadedAsset[] {
  const found = new AssetList()
  found.addCss(css)
  return found.assets
}

/**
 * Returns the URLs that a page loads by `<style>` and `style` attributes, the images that its scripts load when they
 * scroll into view, and the images of its previews (`og:image`).
 */
export const findStyleAssets: FindStyleAssets = (html) => {
  if (!MAY_LOAD.test(html)) return []
  const reader = new StyleReader(html)
  reader.read()
  return reader.found.assets
}

/** The assets that were found, each once. */
class AssetList {
  readonly #byUrl = new Map<string, LoadedAsset>()
  #cssLeft = MAX_CSS

  get assets(): LoadedAsset[] {
    return [...this.#byUrl.values()]
  }

  add({ url, isImage }: LoadedAsset): void {
    if (url === '' || url.startsWith('#') || this.#byUrl.size >= MAX_URLS) return
    if (!this.#byUrl.has(url) || isImage) this.#byUrl.set(url, { url, isImage })
  }

  addCss(css: string): void {
    const read = css.slice(0, this.#cssLeft)
    this.#cssLeft -= read.length
    for (const { url, isImage } of cssUrls(read)) this.add({ url, isImage })
  }

  addSrcset(srcset: string): void {
    for (const url of srcsetUrls(srcset, MAX_URLS - this.#byUrl.size))
      this.add({ url, isImage: true })
  }
}

/** Collects the assets of a page tag by tag. Skips the content of templates, which isn't part of the page. */
class StyleReader extends TokenReader {
  readonly found = new AssetList()
  #name = ''
  #value = ''
  /** Number of open templates. */
  #templates = 0
  /** True if the open tag is a `<template>` that is a declarative shadow root, whose content is part of the page. */
  #isTemplateShown = false
  /** The attributes of the open tag that may load something. */
  #values: (readonly [name: string, value: string])[] = []
  /** Start of the content of the open `<style>`. */
  #styleStart: number | undefined

  protected override onTagName(): void {
    this.#values = []
    this.#isTemplateShown = false
  }

  override onattribname(start: number, end: number): void {
    this.#name = this.html.slice(start, end).toLowerCase()
    this.#value = ''
  }

  override onattribdata(start: number, end: number): void {
    if (this.#value.length <= MAX_VALUE) this.#value += this.html.slice(start, end)
  }

  override onattribentity(codepoint: number): void {
    if (this.#value.length <= MAX_VALUE) this.#value += String.fromCodePoint(codepoint)
  }

  override onattribend(): void {
    const value = this.#value
    if (this.tag === 'template' && this.#name === 'shadowrootmode')
      this.#isTemplateShown = /^(?:open|closed)$/i.test(value)
    const isLoading = LOADING.has(this.#name) || (this.tag === 'meta' && META.has(this.#name))
    if (isLoading && value !== '' && value.length <= MAX_VALUE)
      this.#values.push([this.#name, value])
  }

  protected override onStartTag(end: number, isEmpty: boolean): void {
    if (this.tag === 'template' && (this.#templates > 0 || !this.#isTemplateShown))
      this.#templates++
    if (this.#templates > 0) return
    if (this.tag === 'style' && !isEmpty) this.#styleStart = end + 1
    if (this.#values.length > 0) this.#addValues()
  }

  protected override onEndTag(tag: string, start: number): void {
    if (tag === 'template' && this.#templates > 0) this.#templates--
    this.#endStyle(start)
  }

  override onend(): void {
    this.#endStyle(this.html.length)
  }

  /** Adds the assets in the attributes of the open tag. Of attributes with the same name, only the first counts. */
  #addValues(): void {
    const values = new Map(this.#values.toReversed())
    if (this.tag === 'meta') this.#addPreview(values)
    for (const [name, value] of [...values].toReversed()) {
      const kind = name === 'style' ? 'css' : lazyImagesIn(this.tag, name, value)
      if (kind === 'css' && CSS_LOADS.test(value)) this.found.addCss(value)
      // A `<source>` may belong to a video, so its URL isn't always an image.
      else if (kind === 'url') this.found.add({ url: value.trim(), isImage: this.tag !== 'source' })
      else if (kind === 'srcset') this.found.addSrcset(value)
    }
  }

  #addPreview(values: ReadonlyMap<string, string>): void {
    const isPreview = ['property', 'name'].some((name) => PREVIEW.test(values.get(name) ?? ''))
    const url = values.get('content')?.trim() ?? ''
    if (isPreview) this.found.add({ url, isImage: true })
  }

  #endStyle(end: number): void {
    if (this.#styleStart === undefined) return
    this.found.addCss(this.html.slice(this.#styleStart, end))
    this.#styleStart = undefined
  }
}
