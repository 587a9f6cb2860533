import { ABSENT } from './layout/codes.ts'
import { PADDING } from './layout/limits.ts'
import { type RegionName, region } from './layout/regions.ts'

/** The memory of a page scanner, region by region. It never moves. */
export class ScannerMemory {
  /** The whole memory. */
  readonly bytes: Buffer
  /** The region for a page. */
  readonly body: Buffer
  /** The region for a URL that the module reads. */
  readonly passedUrl: Buffer
  readonly control: Uint32Array
  readonly links: Uint32Array
  readonly headTags: Uint32Array
  readonly unresolved: Uint32Array
  readonly unjudged: Uint32Array
  readonly reports: Uint32Array
  readonly targets: Uint32Array
  #pageNumber = 0

  constructor(buffer: ArrayBuffer) {
    const bytesOf = (name: RegionName, padding = 0) => {
      const { start, bytes } = region(name)
      return Buffer.from(buffer, start, bytes - padding)
    }
    const words = (name: RegionName) => {
      const { start, bytes } = region(name)
      return new Uint32Array(buffer, start, bytes / Uint32Array.BYTES_PER_ELEMENT)
    }
    this.bytes = Buffer.from(buffer)
    this.body = bytesOf('body')
    this.passedUrl = bytesOf('passedUrl', PADDING)
    this.control = words('control')
    this.links = words('links')
    this.headTags = words('headTags')
    this.unresolved = words('unresolved')
    this.unjudged = words('unjudged')
    this.reports = words('reports')
    this.targets = words('targets')
  }

  /** Number of the page that is in the body, or is being copied there. */
  get pageNumber(): number {
    return this.#pageNumber
  }

  beginPage(): void {
    this.#pageNumber++
  }

  /** Returns a range of the page as a byte string; undefined if `start` is `ABSENT`. */
  textAt(start: number, end: number): string | undefined {
    return start === ABSENT ? undefined : this.body.toString('latin1', start, end)
  }
}
