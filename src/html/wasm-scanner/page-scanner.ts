import { hasAsciiDelimiters } from '../../encoding/decode-byte-string.ts'
import { randomWords } from '../../hashing/random-words.ts'
import type { TextCounts } from '../boilerplate/text-count-table.ts'
import { decodedUrl } from '../boilerplate/url-words.ts'
import { guessCharset } from '../charset/guess-charset.ts'
import { WASM } from './generated/release.ts'
import { type HeadTag, headTags } from './head-tag.ts'
import { SCAN_OPTION, SCAN_RESULT } from './layout/codes.ts'
import { MAX_BODY, MAX_LINKS } from './layout/limits.ts'
import { LinkReporter } from './link-reporter.ts'
import { instantiate, type ScannerModule } from './module.ts'
import { declaredEncodingOf, encodingIn } from './page-head.ts'
import { PageScan } from './page-scan.ts'
import { ScannerMemory } from './scanner-memory.ts'
import { writeMetaNames } from './write-meta-names.ts'

interface ScannerOptions {
  /** Product tokens. `<meta>` elements with these names are read like those with the name `robots`. */
  readonly agents: readonly string[]
  /** True to find assets, too. */
  readonly assets?: boolean
  /** Counts the texts and media of pages. Default: all pages have new content. */
  readonly textCounts?: TextCounts | undefined
  /** Maximum number of links and assets to keep of a page, up to `MAX_LINKS`. */
  readonly maxLinks?: number
  /** The secret key of the hashes. Default: random. */
  readonly key?: Uint32Array
}

/**
 * Scans pages in the memory of a WebAssembly module, and remembers the URLs of their links there. The memory has room
 * for one page at a time. Few pages are left to the reference (html/reference-scanner).
 */
export class PageScanner {
  /** Resolves the links of the page that was scanned last. */
  readonly links: LinkReporter
  readonly #module: ScannerModule
  readonly #memory: ScannerMemory
  readonly #names: readonly string[]
  readonly #assets: boolean
  readonly #options: number
  readonly #maxLinks: number
  readonly #textCounts: TextCounts | undefined

  private constructor(module: ScannerModule, options: ScannerOptions) {
    const { agents, assets = false, textCounts } = options
    const { maxLinks = MAX_LINKS } = options
    this.#module = module
    this.#memory = new ScannerMemory(this.#module.memory.buffer)
    this.#names = ['robots', ...agents.map((agent) => agent.toLowerCase())]
    this.#assets = assets
    this.#options = (assets ? SCAN_OPTION.assets : 0) | (textCounts ? SCAN_OPTION.samples : 0)
    this.#maxLinks = Math.min(maxLinks, MAX_LINKS)
    const { buffer, byteOffset } = options.key ?? randomWords(4)
    const [first = 0n, second = 0n] = new BigUint64Array(buffer.slice(byteOffset, byteOffset + 16))
    this.#module.useKey(first, second)
    this.#textCounts = textCounts
    if (textCounts !== undefined) this.#module.useTextKey(textCounts.key)
    writeMetaNames(this.#module, this.#memory, this.#names)
    this.links = new LinkReporter(this.#module, this.#memory)
  }

  /** @param wasm the module in base64; tests use a build that checks each memory access */
  static open(options: ScannerOptions, wasm = WASM): PageScanner {
    const { textCounts } = options
    const countText = (first: number, second: number) => textCounts?.count(first, second) ?? 0
    return new PageScanner(instantiate(wasm, { countText }), options)
  }

  /** Returns the memory for a page of `length` bytes; undefined if the page is too long. */
  body(length: number): Uint8Array | undefined {
    if (length > MAX_BODY) return undefined
    this.#memory.beginPage()
    return this.#memory.body.subarray(0, length)
  }

  /**
   * Scans the page that was copied to the body. Returns undefined if the reference must read it: if the delimiters of
   * its encoding aren't ASCII, or if the page has more links or tags of the head than the module can keep.
   * @param contentTypeCharset the charset of the Content-Type as the server sent it
   */
  scan(length: number, contentTypeCharset?: string): PageScan | undefined {
    const declared = declaredEncodingOf(this.#module, this.#memory, length, contentTypeCharset)
    if (declared !== undefined) {
      const tags = this.#headTagsOf(length, declared, SCAN_OPTION.skipDeclarations)
      return tags && this.#scanned(length, declared, tags)
    }
    const likely = guessCharset(this.#memory.body.subarray(0, length))
    const tags = this.#headTagsOf(length, likely)
    if (tags === undefined) return undefined
    const late = encodingIn(tags)
    if (late === undefined || late === likely) return this.#scanned(length, likely, tags)
    // A scan has the same result for all encodings with ASCII delimiters, except for `replacement`.
    const isSame = late !== 'replacement' && hasAsciiDelimiters(late)
    const lateTags = isSame ? tags : this.#headTagsOf(length, late)
    return lateTags && this.#scanned(length, late, lateTags)
  }

  /**
   * Returns whether a page has new content, like `BoilerplateDetector`, and counts its content. Call it once per page,
   * after its scan.
   */
  hasNewContent(scan: PageScan, url: string): boolean {
    if (this.#textCounts === undefined) return true
    scan.records.assertCurrent()
    const length = this.#memory.passedUrl.write(decodedUrl(url))
    return this.#module.hasNewContent(length) === 1
  }

  /**
   * Scans the page in an encoding. Returns the tags of its head; undefined if the reference must read the page.
   * @param option a further `SCAN_OPTION`
   */
  #headTagsOf(length: number, charset: string, option = 0): HeadTag[] | undefined {
    if (!hasAsciiDelimiters(charset)) return undefined
    const scanned = charset === 'replacement' ? 0 : length
    const result = this.#module.scan(scanned, this.#options | option, this.#maxLinks)
    return result === SCAN_RESULT.complete ? headTags(this.#memory) : undefined
  }

  #scanned(length: number, charset: string, tags: readonly HeadTag[]): PageScan | undefined {
    const [names, hasAssets] = [this.#names, this.#assets]
    const scan = new PageScan({ memory: this.#memory, length, charset, tags, names, hasAssets })
    // In a list of assets, each asset takes at least two bytes.
    const isTooMuch = scan.records.count + scan.srcsetBytes / 2 > this.#maxLinks
    return isTooMuch ? undefined : scan
  }
}
