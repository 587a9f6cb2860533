import { parseBoundedJson } from '../../bounded-json.ts'
import { kindOfJson } from '../../english-text.ts'
import type { Data } from '../../records/visit.ts'
import { withTimeout } from '../../runtime/sync-timeout.ts'
import type { Hooks, Page, PageCrawl } from './hooks.ts'
import { loadHooks } from './load-hooks.ts'

/** Maximum characters of a page's data as JSON. */
const MAX_DATA = 2 ** 20

/** Calls the hooks of a user, with time limits. */
export class HookRunner {
  readonly #hooks: Hooks
  readonly #maxMs: number

  private constructor(hooks: Hooks, maxMs: number) {
    this.#hooks = hooks
    this.#maxMs = maxMs
  }

  /**
   * Imports the hooks of a module.
   * @param maxMs maximum milliseconds that one call may block the thread, and that it may take including waiting
   * @throws CrawlerError('usage') when it can't be imported, or exports no hook
   */
  static async load(name: string, maxMs: number): Promise<HookRunner> {
    return new HookRunner(await loadHooks(name), maxMs)
  }

  /**
   * Returns the result of `onPage`, converted to JSON and back.
   * @throws the error of the hook, or a TypeError or RangeError about its result
   */
  async onPage(page: Page, crawl: PageCrawl): Promise<Data> {
    const called = withTimeout(this.#maxMs, () => this.#hooks.onPage?.(page, crawl))
    const given = await this.#inTime(called)
    return given === undefined ? {} : withTimeout(this.#maxMs, () => plain(given))
  }

  /**
   * Returns the links to follow.
   * @throws the error of the hook, or a TypeError if the hook returns no boolean
   */
  followed(urls: readonly string[], page: Page): readonly string[] {
    if (this.#hooks.shouldFollow === undefined) return urls
    const depth = page.depth + 1
    return withTimeout(this.#maxMs, () =>
      urls.filter((url) => this.#shouldFollow(url, depth, page)),
    )
  }

  #shouldFollow(url: string, depth: number, page: Page): boolean {
    const answer: unknown = this.#hooks.shouldFollow?.({ url, depth }, page)
    if (typeof answer === 'boolean') return answer
    const given = answer instanceof Promise ? 'a promise' : typeof answer
    throw new TypeError(`shouldFollow: expected true or false, got ${given}`)
  }

  async #inTime<T>(called: T | Promise<T>): Promise<T> {
    if (!isPromise(called)) return called
    const { promise, reject } = Promise.withResolvers<never>()
    const message = `onPage took longer than ${this.#maxMs / 1_000} s`
    const timer = setTimeout(() => reject(new Error(message)), this.#maxMs)
    try {
      return await Promise.race([called, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Converts a result to JSON and back. An object may convert itself to something else, such as a Date to a string. */
function plain(given: unknown): Data {
  refuseHiddenContent(given)
  const json: string | undefined = JSON.stringify(given)
  if (!json?.startsWith('{')) {
    const kind = json === undefined ? 'undefined' : kindOfJson(JSON.parse(json))
    throw new TypeError(`onPage: expected data that is an object as JSON, got ${kind}`)
  }
  if (json.length <= MAX_DATA) return parseBoundedJson(json) as Data
  throw new RangeError(
    `onPage: expected data of at most ${MAX_DATA} characters as JSON, got ${json.length}`,
  )
}

/** @throws TypeError for a Map, a generator and the like, which JSON would make an empty object */
function refuseHiddenContent(given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || 'toJSON' in given)
    return
  if (!(Symbol.iterator in given || Symbol.asyncIterator in given)) return
  const kind = Object.prototype.toString.call(given).slice('[object '.length, -1)
  throw new TypeError(
    `onPage: expected data that is an object as JSON, got a value of type ${kind}`,
  )
}
