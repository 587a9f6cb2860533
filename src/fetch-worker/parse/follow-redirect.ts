import { countOf } from '../../english-text.ts'
import { type CrawlUrl, isSeedOrItsRedirect } from '../../records/crawl-url.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import { LinkResolver, MAX_URL_LENGTH } from '../../url/resolve.ts'
import {
  type ParsedResponse,
  type ParseTools,
  sameDepthFindings,
  UNPARSED,
} from './parsed-response.ts'

/**
 * Checks whether the target of a redirect is new. Fetching the target is a visit of its own.
 * @param location value of the `Location` header; undefined if there is none
 */
export function followRedirect(
  crawlUrl: CrawlUrl,
  location: string | undefined,
  { filter, rules, seenCheck, maxRedirects }: ParseTools,
): ParsedResponse {
  if (location === undefined)
    return refused('invalid-redirect', 'expected a Location header, got none')
  const redirectsTo = new LinkResolver(crawlUrl.url).resolve(location)
  if (redirectsTo === undefined) return refused('invalid-redirect', messageOnInvalid(location))
  if (crawlUrl.redirects >= maxRedirects) {
    const message = `more than ${countOf(maxRedirects, 'redirect')} in a row`
    return refused('too-many-redirects', message, { redirectsTo })
  }
  const filtered = filter.filter([{ href: redirectsTo }], crawlUrl, {}, crawlUrl.depth)
  // The redirect of a seed may widen the scope: the main thread decides.
  if (isSeedOrItsRedirect(crawlUrl) && filtered.skips[0]?.reason === 'out-of-scope') {
    const findings = { ...UNPARSED.findings, leaves: redirectsTo }
    return { ...UNPARSED, fields: { redirectsTo }, findings }
  }
  const { urls: external, skips } = rules.splitRedirect(filtered.skips, crawlUrl)
  const urls = [...filtered.urls, ...external]
  const discovered = seenCheck.addSameDepth(urls, crawlUrl, 'redirect')
  const findings = sameDepthFindings({ hop: 'redirect', urls })
  const { rewrites } = filtered
  return { fields: { redirectsTo, discovered }, findings, skips, rewrites }
}

function messageOnInvalid(location: string): string {
  const shown = JSON.stringify(location.slice(0, 200))
  // Percent-encoding makes a byte three characters.
  const isLong = 3 * location.length > MAX_URL_LENGTH
  const length = isLong ? ` of at most ${MAX_URL_LENGTH} characters` : ''
  return `expected an http or https URL${length}, got ${shown}`
}

function refused(
  code: ErrorCode,
  message: string,
  record: ParsedResponse['fields'] = {},
): ParsedResponse {
  return { ...UNPARSED, fields: { ...record, error: { code, message } } }
}
