import { srcsetUrls } from '../../url/srcset.ts'
import { cssUrls } from './css-urls.ts'
import { isImageName } from './lazy-images.ts'
import { scriptUrls } from './script-urls.ts'

/** A URL that a page, a style sheet, a script or a manifest loads, as written there. */
export interface LoadedAsset {
  readonly url: string
  readonly isImage: boolean
}

/** Maximum number of URLs that are read from a page or a file. */
const MAX_URLS = 10_000
/**
 * Maximum number of characters that are read from a style sheet, or from all styles of a page. 2^20 characters take
 * 0.15 s.
 */
const MAX_CSS = 4 * 2 ** 20
/**
 * Maximum number of characters of a script, or of all scripts in a page; further ones are not read. 2^20 characters take
 * at most 0.15 s.
 */
const MAX_SCRIPT = 4 * 2 ** 20

/** Collects assets, each once. */
export class AssetList {
  readonly #byUrl = new Map<string, LoadedAsset>()
  #cssLeft = MAX_CSS
  #scriptLeft = MAX_SCRIPT

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

  addScript(script: string): void {
    // A part of a script can't be read, since its brackets don't match.
    if (script.length > this.#scriptLeft) return
    this.#scriptLeft -= script.length
    for (const { url } of scriptUrls(script)) this.add({ url, isImage: isImageName(url) })
  }

  addSrcset(srcset: string): void {
    for (const url of srcsetUrls(srcset, MAX_URLS - this.#byUrl.size))
      this.add({ url, isImage: true })
  }
}
