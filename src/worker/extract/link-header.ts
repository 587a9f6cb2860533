import { headerText } from '../http/header-text.ts'

/** A link of a `Link` header. */
export interface HeaderLink {
  /** As it was written: to be resolved against the URL of the page, whatever its `<base>`. */
  readonly href: string
  /** All relation types, as they were written. */
  readonly rel: string
}

/** Links looked at per response: the header is bounded by its size, each link has three bytes. */
const MAX_LINKS = 1_000

/** Relation types whose target is a page (IANA's registry; HTML 4.01, 6.12 for the older ones). */
const PAGES: ReadonlySet<string> = new Set(
  (
    'next prev previous first last up start contents index alternate canonical'
  ).split(' '),
)
/** Types that make something else of it, such as `alternate stylesheet`. */
const RESOURCES: ReadonlySet<string> = new Set(
  (
    'stylesheet icon manifest preload modulepreload preconnect dns-prefetch'
  ).split(' '),
)
const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

/**
 * The links of a `Link` header, as undici gives it, that name a page (RFC 8288): by a relation type
 * that does, with a `type` that is HTML or none. What is malformed is skipped up to the next comma.
 */
export function pageLinks(header: string | readonly string[] | undefined): HeaderLink[] {
  const fields = typeof header === 'string' ? [header] : (header ?? [])
  const links: HeaderLink[] = []
  const reader = new LinkReader()
  E
rm src/worker/extract/link-header.ts
