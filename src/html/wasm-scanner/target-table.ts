import type { SkipReason } from '../../records/skip.ts'
import { TARGET_FLAG } from './layout/codes.ts'
import { MAX_URL } from './layout/limits.ts'
import { TARGET, WORDS } from './layout/records.ts'
import { region } from './layout/regions.ts'
import type { ScannerModule } from './module.ts'
import type { ScannerMemory } from './scanner-memory.ts'

/** What the text of a URL says about it. */
export interface TargetVerdict {
  /** Why it does not belong to the crawl; undefined where it does. */
  readonly reason?: SkipReason | undefined
  /** Another URL that stands for it: then that one is judged. */
  readonly standIn?: string
}

/** Why an href names no URL. */
export type Failure = 'scheme' | 'invalid-url' | 'limit'

/** Characters that are kept of an href that names nothing. */
const MAX_SHOWN = 2_000

/**
 * The URLs that links named, by the numbers that the module gives them, and what is known of each. All
 * are forgotten at once when there is no more room for them: nothing here is kept nowhere else.
 */
export class TargetTable {
  readonly #module: ScannerModule
  readonly #memory: ScannerMemory
  readonly #passed = region('passedUrl').start
  readonly #urls = region('urlBytes').start
  /** Hrefs that name no URL, by number. URLs themselves are read when they are asked for: most are asked for once. */
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

  /** Leaves a URL for the module to read. Returns its length. */
  pass(url: string): number {
    return this.#memory.bytes.write(url, this.#passed, 'latin1')
  }

  /** The number of a canonical URL; undefined where there is no more room. */
  numberOf(url: string): number | undefined {
    if (url.length > MAX_URL) return undefined
    return this.#numbered(this.pass(url))
  }

  /** The same of an href that names no URL. */
  numberOfFailure(href: string, reason: Failure): number | undefined {
    const shown = href.slice(0, MAX_SHOWN)
    // No URL begins like that.
    const length = this.#memory.bytes.write(`${reason} ${shown}`, this.#passed, 'utf8')
    const number = this.#numbered(length)
    if (number === undefined) return undefined
    this.mark(number, TARGET_FLAG.judged | TARGET_FLAG.isNoUrl)
    this.#hrefs.set(number, shown)
    this.#reasons[number] = reason
    return number
  }

  /** The URL, or the href that names none, up to 2,000 characters of it. */
  urlOf(number: number): string {
    const href = this.#hrefs.get(number)
    if (href !== undefined) return href
    const start = this.#urls + this.#field(number, TARGET.bytes)
    const end = start + this.#field(number, TARGET.length)
    return this.#memory.bytes.toString('latin1', start, end)
  }

  /** Why the URL does not belong to the crawl; undefined where it does. */
  reasonOf(number: number): SkipReason | undefined {
    return this.#reasons[number]
  }

  /** @param flag one of `TARGET_FLAG` */
  has(number: number, flag: number): boolean {
    return (this.#field(number, TARGET.flags) & flag) !== 0
  }

  /** Notes what is known of a URL from now on, by bits of `TARGET_FLAG`. */
  mark(number: number, flags: number): void {
    const place = WORDS.target * number + TARGET.flags
    this.#memory.targets[place] = (this.#memory.targets[place] ?? 0) | flags
  }

  /**
   * Judges a URL, unless that was done before, and the one that stands for it.
   * @returns the number of the one that counts; undefined where there is no more room
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
