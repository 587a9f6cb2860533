import { isUtf8 } from 'node:buffer'
import { LinkResolver } from '../url/resolve.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { ErrorCode } from '../wire/error-code.ts'
import type { Discoverer } from './discoverer.ts'
import type { Answer } from './http/http-client.ts'
import type { Reading } from './read-page.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The Location of a redirect (RFC 9110, 15.4); undefined when the answer is none. */
export function locationOf({ status, headers }: Answer): string | undefined {
  const { location } = headers
  if (!REDIRECTS.has(status)) return undefined
  const first = Array.isArray(location) ? location[0] : location
  if (first === undefined) return undefined
  // Headers arrive as a character per byte; many servers send UTF-8, as browsers expect them to.
  const bytes = Buffer.from(first, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : first
}

/** Puts the target of a redirect to the URL-seen test; it will be a visit of its own. */
export async function followRedirect(
  crawlUrl: CrawlUrl,
  location: string,
  discoverer: Discoverer,
  maxRedirects: number,
): Promise<Reading> {
  const target = new LinkResolver(crawlUrl.url).resolve(location)
  if (target === undefined) {
    const shown = JSON.stringify(location.slice(0, 200))
    return refused('invalid-redirect', `expected an http or https URL, got ${shown}`)
  }
  const redirectsTo = { redirectsTo: target }
  if (crawlUrl.sidesteps >= maxRedirects) {
    return refused(
      'too-many-redirects',
      `more than ${maxRedirects} redirects in a row`,
      redirectsTo,
    )
  }
  const nowhere = { discovered: [], nearer: [], beside: [] }
  if (!discoverer.scope.contains(target)) {
    return { record: redirectsTo, leadsTo: { ...nowhere, leaves: target } }
  }
  const discovered = (await discoverer.isNew(target)) ? 1 : 0
  return {
    record: { ...redirectsTo, discovered },
    leadsTo: { ...nowhere, beside: [{ hop: 'redirect', urls: [target] }] },
  }
}

function refused(code: ErrorCode, message: string, record: Reading['record'] = {}): Reading {
  return {
    record: { ...record, error: { code, message } },
    leadsTo: { discovered: [], nearer: [], beside: [] },
  }
}
