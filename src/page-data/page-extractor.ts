import { messageOf } from '../errors.ts'
import type { Skip } from '../records/skip.ts'
import type { Data, Visit } from '../records/visit.ts'
import type { VisitFields } from '../records/visit-record.ts'
import type { HookRunner } from './hooks/hook-runner.ts'
import type { HtmlPage } from './html-page.ts'
import { openPageData, type PageData, type PageDataSettings } from './page-data.ts'

/** Settings that ask for data from pages. */
interface PageDataSetup extends PageDataSettings {
  /** Path of the module of hooks. */
  readonly hooks?: string | undefined
  /** Milliseconds for one call of a hook. */
  readonly hookTimeout: number
}

/** What was taken from a page, or why not. */
type ExtractedFields = Partial<Pick<VisitFields, 'dataJson' | 'dataTruncated' | 'error'>>

/** Which links of a page may be followed. */
interface FollowedLinks {
  readonly urls: readonly string[]
  readonly refused: readonly Skip[]
  /** What the record says when the hook failed. */
  readonly error?: Pick<Visit, 'error'>
}

/** Characters of what an error of a hook says. */
const MAX_MESSAGE = 1_000

/** What a user wants of pages beside their links: data, and a say in which links are followed. */
export class PageExtractor {
  readonly #pageData: PageData | undefined
  readonly #hooks: HookRunner | undefined

  private constructor(pageData: PageData | undefined, hooks: HookRunner | undefined) {
    this.#pageData = pageData
    this.#hooks = hooks
  }

  /**
   * Undefined where there are none; what isn't asked for isn't loaded.
   * @throws CrawlerError('usage') when the module of hooks is none
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

/** A page of which something is wanted. Its methods never throw. */
class PageExtraction {
  readonly #page: HtmlPage
  readonly #pageData: PageData | undefined
  readonly #hooks: HookRunner | undefined

  constructor(page: HtmlPage, pageData: PageData | undefined, hooks: HookRunner | undefined) {
    this.#page = page
    this.#pageData = pageData
    this.#hooks = hooks
  }

  async extract(): Promise<ExtractedFields> {
    const { data = {}, ...taken } = this.#pageData?.(this.#page) ?? {}
    const own = { ...encoded(data), ...taken }
    if (this.#hooks === undefined) return own
    this.#page.data = data
    try {
      const more = await this.#hooks.onPage(this.#page)
      return { ...own, ...encoded({ ...data, ...more }) }
    } catch (error) {
      return { ...own, ...hookFailed(error) }
    }
  }

  /** A hook that fails lets no link of its page through. */
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
  const message = messageOf(cause)
  return { error: { code: 'hook-failed', message: message.slice(0, MAX_MESSAGE) } }
}
