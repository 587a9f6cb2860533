/** Fragments that single-page apps take for paths. */
const ROUTE = /^#!?\//

/** Characters of a route. */
const MAX_ROUTE = 2_000

/**
 * Returns the fragment of an href, percent-encoded as in browsers, if it is a route; otherwise an empty text. A fragment
 * of the route names a place in the same view, and is left out.
 */
export function routeOf(href: string): string {
  const at = href.indexOf('#')
  if (at < 0 || href.length - at > MAX_ROUTE || !ROUTE.test(href.slice(at))) return ''
  const [, route = ''] = href.slice(at).split('#', 2)
  return URL.parse(`#${route}`, 'http://a/')?.hash ?? ''
}

/** Returns the URL that is requested for one that may have a route: servers don't see that. */
export function withoutRoute(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
