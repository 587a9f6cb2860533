import { OTHER_SCHEME } from '../../url/resolve.ts'

/** Matches an href without white space and controls, which the parser would remove. */
const NO_SPACE = /^[^\0- \u007f]+$/
/**
 * Matches an href that resolves to the same URL on all pages with the same base directory. An href that is only a query
 * doesn't, and an href with a `:` may have a scheme.
 */
const IN_DIRECTORY = /^[^?#:]+(?:\?|$)/
const ABSOLUTE = /^https?:\/\//

/**
 * Returns whether an href, with any fragment, resolves to the same URL on all pages that have the same base directory
 * and the same encoding. May return false for an href that does.
 */
export function isPageIndependent(href: string): boolean {
  const hash = href.indexOf('#')
  const text = hash < 0 ? href : href.slice(0, hash)
  return NO_SPACE.test(text) && (ABSOLUTE.test(text) || IN_DIRECTORY.test(text))
}

/**
 * Returns whether an href that can't be resolved fails on all pages. False for an href with a fragment: it is reported
 * as written, but the module remembers hrefs without fragments.
 */
export function isPageIndependentFailure(href: string): boolean {
  return OTHER_SCHEME.test(href) && !href.includes('#')
}
