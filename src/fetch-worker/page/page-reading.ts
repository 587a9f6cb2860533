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
  /** True if the page requests not to be indexed. */
  readonly noindex: boolean
  /** False if the page shows only texts and media that its host has often shown before. */
  readonly hasNewContent: boolean
  /** Links as written in the page. */
  readonly outlinks: WrittenLinks
  /** URLs of assets as written in the page. */
  readonly assets: readonly string[]
  readonly links: UncheckedLinks
}

/** The targets of the links of a page and of its header, before the seen check. */
export interface UncheckedLinks {
  /** URLs to check, inside the scope, without duplicates. */
  readonly urls: readonly string[]
  /** Known URLs to which this page may be a shorter path than earlier pages. */
  readonly nearer: readonly string[]
  /** All URLs inside the scope, including those that need no check; set if the frontier keeps them. */
  readonly kept?: readonly string[] | undefined
  /** The number of further URLs, which need no check, and the number of them that are in the seen set. */
  readonly omitted: number
  readonly known: number
  readonly assetUrls: readonly string[]
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
  /**
   * Marks the links as checked, so that later pages don't report them again. Must be called after the seen check, in
   * the same turn of the event loop.
   * @param tooDeep the links beyond the depth limit
   */
  remember?(tooDeep: readonly Skip[]): void
}
