import type { Protocol } from '../browser/protocol.ts'

/** Kinds of requests that may add links to a page. All others are refused. */
const WANTED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  ...(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch'] as const),
  // The scripts of workers.
  'Other',
])

/** Kinds of requests that add no links, but that an archive needs. */
const ARCHIVED: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Image', 'Font'])

/** Valid values of the header Origin. A compromised page process may send anything. */
const ORIGIN = /^(?:null|https?:\/\/[!-.0-~]{1,300})$/

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

/** Returns the value of the header Origin: the origin of the page, or the text `null`; undefined if there is none. */
export function originIn(headers: Protocol.Network.Headers): string | undefined {
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === 'origin')?.[1]
  return ORIGIN.test(String(origin)) ? String(origin) : undefined
}
