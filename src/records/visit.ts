import type { Change } from './content-version.ts'
import type { Hop } from './crawl-url.ts'
import type { ErrorCode } from './error-code.ts'

/** Data extracted from a page, by name: values that JSON can hold. */
export type Data = Readonly<Record<string, unknown>>

/** The record of a URL that was visited or given up: one line of the output. */
export interface Visit {
  /** Canonical URL. */
  readonly url: string
  /** HTTP status; absent when there was no response. */
  readonly status?: number
  /** Links followed from a seed. */
  readonly depth: number
  /** The page on which it was found; absent for seeds and top-level sitemaps. */
  readonly via?: string
  /** The step that led here. */
  readonly hop: Hop
  /** The target of a redirect. */
  readonly redirectsTo?: string
  /** Lower case, without parameters. */
  readonly contentType?: string
  /** Name of the encoding, by the WHATWG Encoding standard, lower case. */
  readonly charset?: string
  /** Bytes of the decoded body. */
  readonly bytes?: number
  /** True if the body is incomplete: longer than `maxBody`, or broken off. Links in the received part count. */
  readonly truncated?: true
  /** Title of an HTML page. */
  readonly title?: string
  /** True if the page asks search engines not to list it. */
  readonly noindex?: true
  /** The URL that the page names as its canonical one, by rel=canonical; it may be its own. */
  readonly canonical?: string
  /** Outlinks found on the page. */
  readonly links?: number
  /** URLs that were first found on this page. */
  readonly discovered?: number
  /** True if the page was rendered in a browser, and read as its scripts left it. */
  readonly rendered?: true
  /** Links that only the browser showed. */
  readonly renderedLinks?: number
  /** Directives to crawlers of a rendered page: `noindex`, `nofollow`, or both with a comma. */
  readonly robots?: string
  /** Characters of the text of a rendered page. */
  readonly textLength?: number
  /** Title of the page as the server sent it, if scripts changed it; empty if it had none. */
  readonly rawTitle?: string
  /** `canonical` of the page as the server sent it, if scripts changed it; empty if it had none. */
  readonly rawCanonical?: string
  /** `robots` of the page as the server sent it, if scripts changed them; empty if it had none. */
  readonly rawRobots?: string
  /** `textLength` of the page as the server sent it, if scripts changed it. */
  readonly rawTextLength?: number
  /** The file of the page's screenshot, relative to the directory of `--screenshots`. */
  readonly screenshot?: string
  /** SHA-256 of the decoded body in hexadecimal, up to `maxBody`; with `hash`, if the response shows the content. */
  readonly hash?: string
  /** How the content differs from the last visit; with `--revisit-after`, if the response shows it. */
  readonly change?: Change
  /** Milliseconds from the request to the end of the body. */
  readonly ms?: number
  /** Milliseconds that the browser took for the page and everything that it loaded. */
  readonly renderMs?: number
  /** Requests made for this URL. */
  readonly attempts: number
  /** Number of the worker, from 1; absent when no worker was involved. */
  readonly worker?: number
  /** When the visit ended: ISO 8601, with milliseconds. */
  readonly time?: string
  /** The reason why there is no usable response. */
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  /** Data that `--extract`, `--text`, `--markdown`, `--response-headers` and hooks add. */
  readonly data?: Data
  /** True if there was more data than a record has room for. */
  readonly dataTruncated?: true
  /** URL of the page that had this content first; with `--content-dedup`. */
  readonly duplicateOf?: string
  /** Name of the process, if several share a crawl. */
  readonly agent?: string
  /** Number of the record, from 1, if the output can't be cut back: see docs/state.md. */
  readonly seq?: number
}
