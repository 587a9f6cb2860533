import { headerText } from '../../encoding/header-text.ts'
import type { FetchResponse } from '../../fetch/fetcher.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import { LinkResolver } from '../../url/resolve.ts'
import { leadsBeside, type Reading, type ReadingTools, UNREAD } from './reading.ts'

/** The Location of a redirect (RFC 9110, 15.4); undefined when the answer is none. */
export function locationOf({ status, headers }: FetchResponse): string | undefined {
  const { location } = headers
  if (!isRedirect(status)) return undefined
  const first = Array.isArray(location) ? location[0] : location
  return first === undefined ? undefined : headerText(first)
}

/** Puts the target of a redirect to the URL-seen test; it will be a visit of its own. */
export function followRedirect(
  crawlUrl: CrawlUrl,
  location: string,
  { gate, discoverer, maxRedirects }: ReadingTools,
): Reading {
  const redirectsTo = new LinkResolver(crawlUrl.url).resolve(location)
  if (redirectsTo === undefined) {
    const shown = JSON.stringify(location.slice(0, 200))
    return refused('invalid-redirect', `expected an http or https URL, got ${shown}`)
  }
  if (crawlUrl.redirects >= maxRedirects) {
    const message = `more than ${maxRedirects} redirects in a row`
    return refused('too-many-redirects', message, { redirectsTo })
  }
  const link = { href: redirectsTo }
  const admission = gate.admit([link], crawlUrl, {}, crawlUrl.depth)
  const { rewritings } = admission
  // The redirect of a seed may take the scope along: that is for the coordinator to decide.
  const isSeeds = crawlUrl.depth === 0 && !gate.isAskedOnly(crawlUrl)
  const leaves = isSeeds && admission.skips[0]?.reason === 'out-of-scope'
  if (leaves) return { ...UNREAD, record: { redirectsTo }, leadsTo: leavesFor(redirectsTo) }
  const { urls: outside, skips } = gate.outside(admission.skips)
  const urls = [...admission.urls, ...outside]
  const discovered = discoverer.claim(urls, crawlUrl, 'redirect')
  const record = { redirectsTo, discovered }
  return { record, leadsTo: leadsBeside({ hop: 'redirect', urls }), skips, rewritings }
}

function leavesFor(target: string): Reading['leadsTo'] {
  return { ...leadsBeside(), leaves: target }
}

function refused(code: ErrorCode, message: string, record: Reading['record'] = {}): Reading {
  return { ...UNREAD, record: { ...record, error: { code, message } } }
}
