import { TokenReader } from '../token-reader.ts'
import { AssetList, type LoadedAsset } from './asset-list.ts'
import { importMapUrls } from './json-urls.ts'
import { LAZY_ATTRIBUTES, lazyImagesIn } from './lazy-images.ts'
import { scriptContent } from './script-urls.ts'

/** Finds the URLs that a decoded page loads by its styles and scripts, and the images that scripts load lazily. */
export type FindLoadedAssets = (html: string) => readonly LoadedAsset[]

/** Maximum length of an attribute value. Longer values are ignored: no useful reference is that long. */
const MAX_VALUE = 65_536
/** Matches styles that may load something. */
const CSS_LOADS = /url[(&]|@import|image-set/i
/** Texts, of which a page has one if it may load something by styles, `<meta>` or NitroPack, in lower case. */
const SIGNS = ['url(', 'url&', '@import', 'image-set', ':image', 'nitro-lazy']
const LAZY = new RegExp([...LAZY_ATTRIBUTES].filter((name) => name.startsWith('data-')).join('|'))
/** Matches imports of scripts, but not those in prose, where quotation marks are rare. */
const IMPORTS = /import(?:map|\.meta|\s*[("'`{*])|\bfrom\s*["'`]/
/** The attributes that are read. */
const LOADING: ReadonlySet<string> = new Set(['style', ...LAZY_ATTRIBUTES])
/** Further attributes that are read, by tag: those of an image for previews of the page, and the kind of a script. */
const BY_TAG: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['meta', new Set(['property', 'name', 'content'])],
  ['script', new Set(['type', 'src'])],
])
const PREVIEW = /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/i

/** The kinds of content that is searched for URLs. */
type ContentKind = 'style' | 'script' | 'import map'

/**
 * Returns the URLs that a page loads by `<style>` and `style` attributes, by the imports of its scripts and its import
 * map, the images that its scripts load when they scroll into view, and the images of its previews (`og:image`).
 */
export const findLoadedAssets: FindLoadedAssets = (html) => {
  if (!mayLoad(html)) return []
  const reader = new AssetReader(html)
  reader.read()
  return reader.found.assets
}

/** Returns whether a page may contain something to find. Most pages don't. One expression for all takes four times as long. */
function mayLoad(html: string): boolean {
  const text = html.toLowerCase()
  return SIGNS.some((sign) => text.includes(sign)) || LAZY.test(text) || IMPORTS.test(text)
}

/** Collects the assets of a page tag by tag. Skips the content of templates, which isn't part of the page. */
class AssetReader extends TokenReader {
  readonly found = new AssetList()
  #name = ''
  #value = ''
  /** Number of open templates. */
  #templates = 0
  /** True if the open tag is a `<template>` that is a declarative shadow root, whose content is part of the page. */
  #isTemplateShown = false
  /** The attributes of the open tag that may load something. */
  #values: (readonly [name: string, value: string])[] = []
  /** The kind and the start of the content of the open `<style>` or `<script>`. */
  #content: { readonly kind: ContentKind; readonly start: number } | undefined

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
    const isRead = LOADING.has(this.#name) || BY_TAG.get(this.tag)?.has(this.#name) === true
    if (isRead && value !== '' && value.length <= MAX_VALUE) this.#values.push([this.#name, value])
  }

  protected override onStartTag(end: number, isEmpty: boolean): void {
    if (this.tag === 'template' && (this.#templates > 0 || !this.#isTemplateShown))
      this.#templates++
    if (this.#templates > 0) return
    const kind = isEmpty ? undefined : this.#contentKind()
    if (kind !== undefined) this.#content = { kind, start: end + 1 }
    if (this.#values.length > 0) this.#addValues()
  }

  /** Returns the kind of the content after the open tag. */
  #contentKind(): ContentKind | undefined {
    if (this.tag === 'style') return 'style'
    if (this.tag !== 'script') return undefined
    const values = new Map(this.#values.toReversed())
    return values.has('src') ? undefined : scriptContent(values.get('type'))
  }

  protected override onEndTag(tag: string, start: number): void {
    if (tag === 'template' && this.#templates > 0) this.#templates--
    this.#endContent(start)
  }

  override onend(): void {
    this.#endContent(this.html.length)
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

  #endContent(end: number): void {
    if (this.#content === undefined) return
    const { kind, start } = this.#content
    this.#content = undefined
    const text = this.html.slice(start, end)
    if (kind === 'style') this.found.addCss(text)
    else if (kind === 'script') this.found.addScript(text)
    else for (const url of importMapUrls(text)) this.found.add({ url, isImage: false })
  }
}
