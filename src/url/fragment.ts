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
  return fragmentOf(`#${route}`)
}

/** Returns the fragment of an href with its `#`, percent-encoded as in browsers; empty without one. */
export function fragmentOf(href: string): string {
  const at = href.indexOf('#')
  return at < 0 ? '' : (URL.parse(href.slice(at), 'http://a/')?.hash ?? '')
}

/** Returns a URL as it is requested: servers don't see fragments. */
export function withoutFragment(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
