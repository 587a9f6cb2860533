import { isError, messageOf } from '../errors.ts'
import type { Skip } from '../records/skip.ts'
import type { Data, Visit } from '../records/visit.ts'
import type { VisitFields } from '../records/visit-record.ts'
import { openPageData, type PageData, type PageDataSettings } from './extract-page-data.ts'
import { EnqueuedUrls } from './hooks/enqueued-urls.ts'
import type { HookRunner } from './hooks/hook-runner.ts'
import type { HtmlPage } from './html-page.ts'

/** Settings of the data to extract, and of the hooks. */
interface PageDataSetup extends PageDataSettings {
  /** Path of the module of hooks. */
  readonly hooks?: string | undefined
  /** Maximum milliseconds for one call of a hook. */
  readonly hookTimeout: number
}

/** The fields that extraction adds to the record. */
type ExtractedFields = Partial<Pick<VisitFields, 'dataJson' | 'dataTruncated' | 'error'>>

/** The links of a page that a hook accepts, and those that it refuses. */
interface FollowedLinks {
  readonly urls: readonly string[]
  readonly refused: readonly Skip[]
  /** The error of the record if the hook failed. */
  readonly error?: Pick<Visit, 'error'>
}

/** Maximum characters of the message of a hook's error. */
const MAX_MESSAGE = 1_000
/** Maximum characters of a stack that are searched. */
const MAX_STACK = 10_000

/** Extracts data from pages, and lets hooks choose the links to follow. */
export class PageExtractor {
  readonly #pageData: PageData | undefined
  readonly #hooks: HookRunner | undefined

  private constructor(pageData: PageData | undefined, hooks: HookRunner | undefined) {
    this.#pageData = pageData
    this.#hooks = hooks
  }

  /**
   * Returns undefined if there are neither data to extract nor hooks. Loads only the modules that the settings need.
   * @throws CrawlerError('usage') if the module of hooks is invalid
   */
  static async open(setup: PageDataSetup): Promise<PageExtractor | undefined> {
    const pageData = await openPageData(setup)
    const hooks = setup.hooks === undefined ? undefined : await openHooks(setup.hooks, setup)
    if (pageData === undefined && hooks === undefined) return undefined
    return new PageExtractor(pageData, hooks)
  }

  of(page: HtmlPage): PageExtraction {
    return new PageExtraction(page, this.#pageData, this.#hooks)
  }
}

/** The extraction from one page. Its methods never throw. */
export class PageExtraction {
  readonly #page: HtmlPage
  readonly #pageData: PageData | undefined
  readonly #hooks: HookRunner | undefined
  readonly #enqueued = new EnqueuedUrls()

  constructor(page: HtmlPage, pageData: PageData | undefined, hooks: HookRunner | undefined) {
    this.#page = page
    this.#pageData = pageData
    this.#hooks = hooks
  }

  async extract(): Promise<ExtractedFields> {
    const { data = {}, ...others } = this.#pageData?.(this.#page) ?? {}
    const own = { ...encoded(data), ...others }
    if (this.#hooks === undefined) return own
    this.#page.data = data
    try {
      const more = await this.#hooks.onPage(this.#page, this.#enqueued)
      return { ...own, ...encoded({ ...data, ...more }) }
    } catch (error) {
      return { ...own, ...hookFailed(error) }
    } finally {
      this.#enqueued.close()
    }
  }

  /** The URLs that a hook has added to the page's links, as it wrote them. */
  get enqueued(): readonly string[] {
    return this.#enqueued.urls
  }

  /** Returns the links to follow; none if the hook fails. */
  filterLinks(urls: readonly string[]): FollowedLinks {
    if (this.#hooks === undefined) return { urls, refused: [] }
    try {
      const followed = this.#hooks.followed(urls, this.#page)
      return { urls: followed, refused: this.#refused(urls, followed) }
    } catch (error) {
      return { urls: [], refused: this.#refused(urls, []), error: hookFailed(error) }
    }
  }

  #refused(urls: readonly string[], followed: readonly string[]): Skip[] {
    const { url: via, depth } = this.#page
    const kept = new Set(followed)
    const refused = urls.filter((url) => !kept.has(url))
    return refused.map((url) => ({ url, via, depth: depth + 1, reason: 'hook' }))
  }
}

async function openHooks(
  name: string,
  { hookTimeout }: Pick<PageDataSetup, 'hookTimeout'>,
): Promise<HookRunner> {
  const { HookRunner } = await import('./hooks/hook-runner.ts')
  return HookRunner.load(name, hookTimeout)
}

function encoded(data: Data): Pick<VisitFields, 'dataJson'> {
  return Object.keys(data).length === 0 ? {} : { dataJson: JSON.stringify(data) }
}

function hookFailed(cause: unknown): Pick<Visit, 'error'> {
  const [sentence = ''] = messageOf(cause).split('\n', 1)
  const message = sentence.slice(0, MAX_MESSAGE) + placeOf(cause)
  return { error: { code: 'hook-failed', message } }
}

/** Returns the place in the user's modules where an error was thrown: ` (hooks.mjs:3:9)`; empty if it is unknown. */
function placeOf(cause: unknown): string {
  const stack = isError(cause) ? (cause.stack ?? '').slice(0, MAX_STACK) : ''
  const line = stack.split('\n').find((each) => /^ +at .*\bfile:/.test(each)) ?? ''
  const [, place] = /\/([^/]+:\d+:\d+)\)?$/.exec(line) ?? []
  return place === undefined ? '' : ` (${place})`
}
