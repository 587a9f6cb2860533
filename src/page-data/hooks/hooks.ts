import type { Data } from '../../records/visit.ts'

/** An HTML page with a status of 2xx, as hooks see it. */
export interface Page {
  /** Canonical. */
  readonly url: string
  readonly status: number
  /** Links followed from a seed. */
  readonly depth: number
  /** The page it was found on; absent for seeds. */
  readonly via?: string
  /** Response headers by name, in lower case. The value is a list if the response has the header several times. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** WHATWG name of its encoding, lower case. */
  readonly charset: string
  readonly title?: string
  /** The decoded body. Its memory is reused after the hook: copy what you keep. */
  readonly body: Uint8Array
  /** The body as text. */
  readonly html: string
  /** The base of the page's URLs. */
  readonly base: string
  /** The data of `extract`, `text` and `markdown`. */
  readonly data: Data
}

/** A link of a page, inside the scope. */
interface PageLink {
  /** Canonical. */
  readonly url: string
  /** The depth of the URL. */
  readonly depth: number
}

/** The influence of a hook on the crawl while it processes a page. */
export interface PageCrawl {
  /**
   * Crawls a URL as if the page linked to it. A relative URL is resolved like the links of the page.
   * @throws TypeError for other types, RangeError beyond 1,000 URLs of a page, and an Error
   * after the hook has finished with the page
   */
  enqueue(url: string | URL): void
}

/** The exports of a module of hooks: one of these functions, or both. Each fetch worker imports the module. */
export interface Hooks {
  /** May return data for the field `data` of the record, and add further URLs to the crawl. */
  onPage?(page: Page, crawl: PageCrawl): PageResult | Promise<PageResult>
  /** Returns whether to follow a link. It is not called for redirects, assets and sitemaps. */
  shouldFollow?(link: PageLink, page: Page): boolean
}

/** The fields of an object, which may have an interface or a class. Lists, maps, generators and promises are no data. */
type PageFields = object & {
  readonly [Symbol.iterator]?: never
  readonly [Symbol.asyncIterator]?: never
  readonly then?: never
}

/** The result of a function without `return`, which is a hook as well. */
type NoResult = ReturnType<() => void>

type PageResult = PageFields | undefined | NoResult
