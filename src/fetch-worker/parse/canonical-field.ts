import type { FetchResponse } from '../../fetch/fetcher.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import { canonicalInHeader } from './link-header.ts'

/** The canonical URL of a page, as its own `<link>` names it. */
interface OwnCanonical {
  /** Undefined if the page has no such link. */
  readonly canonical: string | undefined
  readonly base: ResolverOptions
}

/**
 * Returns the URL that a response names as its canonical one (RFC 6596), which may be its own. The page's link takes
 * precedence over the `Link` header. The page's `<base>` doesn't apply to the header.
 */
export function canonicalField(
  url: string,
  { headers }: Pick<FetchResponse, 'headers'>,
  own?: OwnCanonical,
): { readonly canonical?: string } {
  const isOwn = own?.canonical !== undefined
  const href = isOwn ? own.canonical : canonicalInHeader(headers['link'])
  if (href === undefined || href === '') return {}
  const canonical = new LinkResolver(url, isOwn ? own.base : {}).resolve(href)
  return canonical === undefined ? {} : { canonical }
}
