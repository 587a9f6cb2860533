import { pieceDecoder } from '../../encoding/decode-byte-string.ts'
import type { MetaRobots } from '../reference-scanner/page-collector.ts'
import type { SampledPage, TextSample } from '../reference-scanner/text-samples.ts'
import { foundAssets, srcsetBytes } from './found-assets.ts'
import { FoundLinks } from './found-links.ts'
import type { HeadTag } from './head-tag.ts'
import { CONTROL, SAMPLE, WORDS } from './layout/records.ts'
import { LinkRecords } from './link-records.ts'
import { baseIn, canonicalIn, robotsIn, titleIn } from './page-head.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** A page as the module has left it. */
interface Scanned {
  readonly memory: ScannerMemory
  /** Bytes of the page. */
  readonly length: number
  readonly charset: string
  readonly tags: readonly HeadTag[]
  /** Names of `<meta>` elements that speak to this crawler. */
  readonly names: readonly string[]
  readonly hasAssets: boolean
}

/**
 * What was found in a page: the counterpart of the reference's `ScannedPage`. Links, assets and samples
 * are read from memory when they are asked for, so only until the next page takes its place.
 */
export class PageScan {
  /** WHATWG name of the encoding, lower case. */
  readonly charset: string
  /** `href` of the first `<base>` that has one. */
  readonly base: string | undefined
  /** First `<title>`, white space stripped and collapsed. */
  readonly title: string | undefined
  readonly robots: readonly MetaRobots[]
  /** `href` of the first `<link rel=canonical>`. */
  readonly canonical: string | undefined
  readonly outlinks: FoundLinks
  /** Links and assets by number. */
  readonly records: LinkRecords
  /** Bytes of values that may name several assets. */
  readonly srcsetBytes: number
  readonly #memory: ScannerMemory

  constructor({ memory, length, charset, tags, names, hasAssets }: Scanned) {
    // Of a page in an encoding that is not to be decoded there is nothing.
    const decode = pieceDecoder(charset === 'replacement' ? 'utf-8' : charset)
    this.#memory = memory
    this.charset = charset
    this.base = baseIn(tags, decode)
    this.title = titleIn(memory, decode)
    this.robots = robotsIn(tags, names, decode)
    this.canonical = canonicalIn(tags, decode)
    this.records = new LinkRecords(memory, length, decode)
    const isMixed = hasAssets || memory.control[CONTROL.hasCandidates] === 1
    this.outlinks = new FoundLinks(this.records, isMixed)
    this.srcsetBytes = isMixed ? srcsetBytes(this.records) : 0
  }

  /** URLs of what a browser would load for the page, as the page has them. */
  get assets(): string[] {
    return foundAssets(this.records)
  }

  /** Texts and pictures of the page. */
  get samples(): SampledPage {
    this.records.assertCurrent()
    const { body: bytes, control } = this.#memory
    return { bytes, count: control[CONTROL.sampleCount] ?? 0, at: (index) => this.#sampleAt(index) }
  }

  #sampleAt(index: number): TextSample {
    const { samples } = this.#memory
    const place = WORDS.sample * index
    const start = samples[place + SAMPLE.start] ?? 0
    const end = samples[place + SAMPLE.end] ?? 0
    return { start, end, isMedia: samples[place + SAMPLE.isMedia] === 1 }
  }
}
