import type { FetchResponse } from '../fetch/fetcher.ts'
import { decodePage } from '../html/charset/decode-page.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Data } from '../records/visit.ts'
import { IGNORED_BASE } from '../url/resolve.ts'
import type { Page } from './hooks/hooks.ts'

/** The data that a scanner has found in the head of a page. */
interface ScannedHead {
  readonly charset: string
  readonly title?: string | undefined
  /** `href` of the first `<base>` that has one. */
  readonly base?: string | undefined
}

/** A page as hooks and extractors see it. It is decoded when its text is first read. */
export class HtmlPage implements Page {
  readonly url: string
  readonly status: number
  readonly depth: number
  declare readonly via?: string
  readonly headers: FetchResponse['headers']
  readonly charset: string
  declare readonly title?: string
  readonly body: Buffer
  readonly base: string
  data: Data = {}
  #html: string | undefined

  constructor(
    { url, depth, via }: CrawlUrl,
    { status, headers, body }: FetchResponse & { readonly body: Buffer },
    { charset, title, base = '' }: ScannedHead,
  ) {
    this.url = url
    this.status = status
    this.depth = depth
    if (via !== undefined) this.via = via
    this.headers = headers
    this.charset = charset
    if (title !== undefined) this.title = title
    this.body = body
    this.base = baseUrl(base, url)
  }

  get html(): string {
    this.#html ??= decodePage(this.body, this.charset)
    return this.#html
  }
}

/** Returns the base of a page's URLs: its own URL if its `<base>` is invalid or has a scheme that browsers ignore. */
function baseUrl(written: string, url: string): string {
  const base = URL.parse(written, url)
  return base === null || IGNORED_BASE.test(base.protocol) ? url : base.href
}
