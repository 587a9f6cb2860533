import type { SkipReason } from '../../records/skip.ts'
import type { HrefFailure } from '../../url/resolve.ts'
import { TARGET_FLAG } from './layout/codes.ts'
import { MAX_URL } from './layout/limits.ts'
import { TARGET, WORDS } from './layout/records.ts'
import { region } from './layout/regions.ts'
import type { ScannerModule } from './module.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** The decision whether a URL belongs to the crawl, which depends only on the URL. */
export interface TargetVerdict {
  /** The reason why the URL does not belong to the crawl; undefined if it does. */
  readonly reason?: SkipReason | undefined
  /** Another URL that replaces this one, and that is judged instead. */
  readonly standIn?: string
}

/** Maximum number of characters that are kept of an href that can't be resolved. */
const MAX_SHOWN = 2_000

/**
 * The URLs of links by the numbers that the module assigns to them, with the verdict and the flags of each. If there is
 * no more room, all are forgotten at once. Nothing is lost, since everything is also stored elsewhere.
 */
export class TargetTable {
  readonly #module: ScannerModule
  readonly #memory: ScannerMemory
  readonly #urls = region('urlBytes').start
  /** Hrefs that can't be resolved, by number. URLs are read from memory instead, since most are read only once. */
  #hrefs = new Map<number, string>()
  #reasons: (SkipReason | undefined)[] = []

  constructor(module: ScannerModule, memory: ScannerMemory) {
    this.#module = module
    this.#memory = memory
  }

  forget(): void {
    this.#module.forget()
    this.#hrefs.clear()
    this.#reasons = []
  }

  /** Writes a URL to memory for the module. Returns its length. */
  pass(url: string): number {
    return this.#memory.passedUrl.write(url, 'latin1')
  }

  /** Returns the number of a canonical URL; undefined if there is no more room. */
  numberOf(url: string): number | undefined {
    if (url.length > MAX_URL) return undefined
    return this.#numbered(this.pass(url))
  }

  /** Returns the number of an href that can't be resolved; undefined if there is no more room. */
  numberOfFailure(href: string, reason: HrefFailure): number | undefined {
    const shown = href.slice(0, MAX_SHOWN)
    // No URL begins with a reason and a space, so this text can't be equal to a URL.
    const length = this.#memory.passedUrl.write(`${reason} ${shown}`, 'utf8')
    const number = this.#numbered(length)
    if (number === undefined) return undefined
    this.mark(number, TARGET_FLAG.judged | TARGET_FLAG.isNoUrl)
    this.#hrefs.set(number, shown)
    this.#reasons[number] = reason
    return number
  }

  /** Returns the URL with a number, or the first 2,000 characters of the href that can't be resolved. */
  urlOf(number: number): string {
    const href = this.#hrefs.get(number)
    if (href !== undefined) return href
    const start = this.#urls + this.#field(number, TARGET.bytes)
    const end = start + this.#field(number, TARGET.length)
    return this.#memory.bytes.toString('latin1', start, end)
  }

  /** Returns the reason why a URL does not belong to the crawl; undefined if it does. */
  reasonOf(number: number): SkipReason | undefined {
    return this.#reasons[number]
  }

  /** @param flag one of `TARGET_FLAG` */
  has(number: number, flag: number): boolean {
    return (this.#field(number, TARGET.flags) & flag) !== 0
  }

  /** Sets flags of a URL. @param flags bits of `TARGET_FLAG` */
  mark(number: number, flags: number): void {
    const place = WORDS.target * number + TARGET.flags
    this.#memory.targets[place] = (this.#memory.targets[place] ?? 0) | flags
  }

  /**
   * Gets the verdict on a URL and its replacement, unless that was done before.
   * @returns the number of the replacement, or of the URL itself if it has none; undefined if there is no more room
   */
  judge(number: number, verdictOf: (url: string) => TargetVerdict): number | undefined {
    if (this.has(number, TARGET_FLAG.judged)) {
      return this.has(number, TARGET_FLAG.alias) ? this.#field(number, TARGET.alias) : number
    }
    const { reason, standIn } = verdictOf(this.urlOf(number))
    if (standIn !== undefined) return this.#replace(number, standIn, verdictOf)
    this.#reasons[number] = reason
    const isOutside = reason === 'out-of-scope' ? TARGET_FLAG.isOutside : 0
    const scope = reason === undefined ? TARGET_FLAG.inScope : isOutside
    this.mark(number, TARGET_FLAG.judged | scope)
    return number
  }

  #replace(number: number, standIn: string, verdictOf: (url: string) => TargetVerdict) {
    const other = this.numberOf(standIn)
    const judged = other === undefined ? undefined : this.judge(other, verdictOf)
    if (judged === undefined) return undefined
    this.#memory.targets[WORDS.target * number + TARGET.alias] = judged
    this.mark(number, TARGET_FLAG.judged | TARGET_FLAG.alias)
    return judged
  }

  #numbered(length: number): number | undefined {
    const number = this.#module.numberOf(length)
    return number < 0 ? undefined : number
  }

  #field(number: number, field: number): number {
    return this.#memory.targets[WORDS.target * number + field] ?? 0
  }
}
