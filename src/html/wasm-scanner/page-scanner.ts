import { hasAsciiDelimiters } from '../../encoding/decode-byte-string.ts'
import { randomWords } from '../../hashing/random-words.ts'
import { guessCharset } from '../charset/guess-charset.ts'
import { declaredEncodingOf } from './declared-charset.ts'
import { WASM } from './generated/release.ts'
import { type HeadTag, headTags } from './head-tag.ts'
import { SCAN_OPTION, SCAN_RESULT } from './layout/codes.ts'
import { MAX_BODY, MAX_LINKS } from './layout/limits.ts'
import { LinkReporter } from './link-reporter.ts'
import { instantiate, type ScannerModule } from './module.ts'
import { encodingIn } from './page-head.ts'
import { PageScan } from './page-scan.ts'
import { ScannerMemory } from './scanner-memory.ts'
import { useMetaNames } from './write-meta-names.ts'

interface ScannerOptions {
  /** Product tokens: `<meta>` elements of these names are looked at like those named `robots`. */
  readonly agents: readonly string[]
  /** True to look for assets, too. */
  readonly assets?: boolean
  /** True to sample what pages show. */
  readonly samples?: boolean
  /** Links and assets that are kept of a page: `MAX_LINKS` at most. */
  readonly maxLinks?: number
  /** The secret of its hashes; random by default. */
  readonly key?: Uint32Array
}

/**
 * Scans pages that lie in the memory of a WebAssembly module, and remembers there where their links
 * lead. Holds one page at a time. What it leaves to the reference (html/reference-scanner) is rare.
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

  private constructor(module: ScannerModule, options: ScannerOptions) {
    const { agents, assets = false, samples = false } = options
    const { maxLinks = MAX_LINKS } = options
    this.#module = module
    this.#memory = new ScannerMemory(this.#module.memory.buffer)
    this.#names = ['robots', ...agents.map((agent) => agent.toLowerCase())]
    this.#assets = assets
    this.#options = (assets ? SCAN_OPTION.assets : 0) | (samples ? SCAN_OPTION.samples : 0)
    this.#maxLinks = Math.min(maxLinks, MAX_LINKS)
    const { buffer, byteOffset } = options.key ?? randomWords(4)
    const [first = 0n, second = 0n] = new BigUint64Array(buffer.slice(byteOffset, byteOffset + 16))
    this.#module.useKey(first, second)
    useMetaNames(this.#module, this.#memory, this.#names)
    this.links = new LinkReporter(this.#module, this.#memory)
  }

  /** @param wasm the module, in base64; tests have one that checks what it does */
  static open(options: ScannerOptions, wasm = WASM): PageScanner {
    return new PageScanner(instantiate(wasm), options)
  }

  /** The place to put a page of that many bytes; undefined where it is too long. */
  body(length: number): Uint8Array | undefined {
    if (length > MAX_BODY) return undefined
    this.#memory.beginPage()
    return this.#memory.body.subarray(0, length)
  }

  /**
   * Scans the page that was put in the body. Undefined where it is to be left to the reference: in an
   * encoding without the delimiters of ASCII, or with more in it than the module keeps.
   * @param contentTypeCharset of the Content-Type as the server sent it
   */
  scan(length: number, contentTypeCharset?: string): PageScan | undefined {
    const declared = declaredEncodingOf(this.#module, this.#memory, length, contentTypeCharset)
    const likely = declared ?? guessCharset(this.#memory.body.subarray(0, length))
    const tags = this.#headTagsOf(length, likely)
    if (tags === undefined) return undefined
    const late = declared === undefined ? encodingIn(tags) : undefined
    if (late === undefined || late === likely) return this.#scanned(length, likely, tags)
    // Where delimiters are those of ASCII nothing is found in other places, but for this one.
    const isSame = late !== 'replacement' && hasAsciiDelimiters(late)
    const lateTags = isSame ? tags : this.#headTagsOf(length, late)
    return lateTags && this.#scanned(length, late, lateTags)
  }

  /** Scans the page in the encoding that it seems to have. */
  #headTagsOf(length: number, charset: string): HeadTag[] | undefined {
    if (!hasAsciiDelimiters(charset)) return undefined
    const scanned = charset === 'replacement' ? 0 : length
    const result = this.#module.scan(scanned, this.#options, this.#maxLinks)
    return result === SCAN_RESULT.whole ? headTags(this.#memory) : undefined
  }

  #scanned(length: number, charset: string, tags: readonly HeadTag[]): PageScan | undefined {
    const [names, hasAssets] = [this.#names, this.#assets]
    const scan = new PageScan({ memory: this.#memory, length, charset, tags, names, hasAssets })
    // Two bytes of a list of assets are one at most.
    const isTooMuch = scan.records.count + scan.srcsetBytes / 2 > this.#maxLinks
    return isTooMuch ? undefined : scan
  }
}
