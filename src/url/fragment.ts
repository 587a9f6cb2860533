/** Matches fragments that single-page apps use as paths. */
const ROUTE = /^#!?\//

/** Maximum length of a route, in characters. */
const MAX_ROUTE = 2_000

/**
 * Returns the fragment of an href, percent-encoded as in browsers, if it is a route; otherwise an empty string. If the
 * route contains a second `#`, the rest is dropped: it is a position in the same view.
 */
export function routeOf(href: string): string {
  const at = href.indexOf('#')
  if (at < 0 || href.length - at > MAX_ROUTE || !ROUTE.test(href.slice(at))) return ''
  const [, route = ''] = href.slice(at).split('#', 2)
  return fragmentOf(`#${route}`)
}

/** Returns the fragment of an href with its `#`, percent-encoded as in browsers; empty if there is none. */
export function fragmentOf(href: string): string {
  const at = href.indexOf('#')
  return at < 0 ? '' : (URL.parse(href.slice(at), 'http://a/')?.hash ?? '')
}

/** Removes the fragment of a URL, which isn't sent to servers. */
export function withoutFragment(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
