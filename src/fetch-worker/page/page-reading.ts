import type { FetchResponse } from '../../fetch/fetcher.ts'
import type { Skip } from '../../records/skip.ts'
import type { WrittenLinks } from '../links/link-graph-edges.ts'
import type { UrlRewrite } from '../links/link-list.ts'

/** A response whose body was kept. */
export type PageResponse = FetchResponse & { readonly body: Buffer }

/** A page as a scanner read it. Links and assets may be valid only until the next page is read. */
export interface PageReading {
  /** WHATWG name of the encoding, lower case. */
  readonly charset: string
  readonly title?: string | undefined
  /** `href` of the first `<base>` that has one. */
  readonly base?: string | undefined
  /** `href` of the first `<link rel=canonical>`. */
  readonly canonical?: string | undefined
  /** True if the page asks not to be shown in an index. */
  readonly noindex: boolean
  /** False if it shows only what its host has shown often before. */
  readonly hasNewContent: boolean
  /** Links as the page has them. */
  readonly outlinks: WrittenLinks
  /** URLs of assets as the page has them. */
  readonly assets: readonly string[]
  readonly links: UncheckedLinks
}

/** Where the links of a page and of its header lead, before the seen check. */
export interface UncheckedLinks {
  /** URLs to check, inside the scope, each once. */
  readonly urls: readonly string[]
  /** URLs that the seen set has, and to which this page may be a shorter path than those before. */
  readonly nearer: readonly string[]
  /** The number of further URLs that need no check, and how many of them the seen set has. */
  readonly omitted: number
  readonly known: number
  readonly assetUrls: readonly string[]
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
  /**
   * To be called after the check, in the same turn of the event loop: what was checked is not told of again.
   * @param tooDeep what is beyond the depth limit
   */
  remember?(tooDeep: readonly Skip[]): void
}
