import { pieceDecoder } from '../../encoding/decode-byte-string.ts'
import type { MetaRobots } from '../reference-scanner/page-collector.ts'
import { foundAssets, srcsetBytes } from './found-assets.ts'
import { FoundLinks } from './found-links.ts'
import type { HeadTag } from './head-tag.ts'
import { CONTROL } from './layout/records.ts'
import { LinkRecords } from './link-records.ts'
import { baseIn, canonicalIn, robotsIn, titleIn } from './page-head.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** The state of memory after a page was scanned. */
interface Scanned {
  readonly memory: ScannerMemory
  /** Length of the page, in bytes. */
  readonly length: number
  readonly charset: string
  readonly tags: readonly HeadTag[]
  /** Names of `<meta>` elements that are meant for this crawler. */
  readonly names: readonly string[]
  readonly hasAssets: boolean
}

/**
 * The result of scanning a page, like the reference's `ScannedPage`. Links and assets are read from memory on access,
 * so they are available only until the next page replaces this one.
 */
export class PageScan {
  /** The WHATWG name of the encoding, in lower case. */
  readonly charset: string
  /** `href` of the first `<base>` that has one. */
  readonly base: string | undefined
  /** The first `<title>`, with white space stripped and collapsed. */
  readonly title: string | undefined
  readonly robots: readonly MetaRobots[]
  /** `href` of the first `<link rel=canonical>`. */
  readonly canonical: string | undefined
  readonly outlinks: FoundLinks
  /** Links and assets by number. */
  readonly records: LinkRecords
  /** Number of bytes of all values that may contain several assets. */
  readonly srcsetBytes: number

  constructor({ memory, length, charset, tags, names, hasAssets }: Scanned) {
    // A page in the encoding `replacement` counts as empty, so any decoder will do.
    const decode = pieceDecoder(charset === 'replacement' ? 'utf-8' : charset)
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

  /** The URLs that a browser would load for the page, as written in the page. */
  get assets(): string[] {
    return foundAssets(this.records)
  }
}
