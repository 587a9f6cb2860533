import type { Protocol } from '../browser/protocol.ts'
import type { ResourceHeaders } from '../rendered-page.ts'

/** Kinds of requests that may add links to a page. All others are refused. */
const WANTED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Document',
  'Stylesheet',
  'Script',
  'XHR',
  'Fetch',
  // The scripts of workers.
  'Other',
])

/** Kinds of requests that add no links, but that an archive needs. */
const ARCHIVED: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Image', 'Font'])

/** The headers that are sent, with their valid values. A compromised page process may send anything. */
const SENT: ReadonlyMap<string, RegExp> = new Map([
  ['origin', /^(?:null|https?:\/\/[!-.0-~]{1,300})$/],
  ['accept', /^[ -~]{1,300}$/],
  ['x-requested-with', /^XMLHttpRequest$/],
])

/** Maximum characters of a URL. */
const MAX_URL = 16_384

/**
 * Returns whether a request of a page is passed on to the crawler.
 * @param loadsImages true for images and fonts, too
 */
export function isWanted(
  request: Pick<Protocol.Network.Request, 'url' | 'method' | 'headers'>,
  type: Protocol.Network.ResourceType,
  loadsImages: boolean,
): boolean {
  const isArchived = loadsImages && ARCHIVED.has(type)
  if (request.method !== 'GET' || !(WANTED.has(type) || isArchived)) return false
  if (!/^https?:/i.test(request.url) || request.url.length > MAX_URL) return false
  return !isPrefetch(request.headers) && (isArchived || !isOther(request.headers))
}

/** Returns, for the log, why an unwanted request is refused; undefined if it would add no links anyway. */
export function refusalOf(
  { url, method }: Pick<Protocol.Network.Request, 'url' | 'method'>,
  type: Protocol.Network.ResourceType,
): string | undefined {
  if (method === 'GET' || type === 'Ping' || url.length > MAX_URL) return undefined
  return `only GET requests are made, not ${method.slice(0, 20)}`
}

/** Returns whether a request only prefetches something that may be needed later. */
function isPrefetch(headers: Protocol.Network.Headers): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      /^(?:sec-)?purpose$/i.test(name) && /prefetch|prerender/i.test(String(value)),
  )
}

/** Returns whether a request is for a site's icon or for server-sent events. Its type doesn't always show that. */
function isOther(headers: Protocol.Network.Headers): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'accept' && /^(?:image\/|text\/event-stream)/.test(String(value)),
  )
}

/**
 * Returns the headers of a request that are sent to its server: Origin, and those by which servers choose between a
 * page and its data.
 */
export function headersToSend(headers: Protocol.Network.Headers): ResourceHeaders {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return Object.fromEntries(lower.filter(([name = '', value = '']) => SENT.get(name)?.test(value)))
}
