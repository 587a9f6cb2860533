/** Without white space and controls, which the parser strips at the ends and drops in between. */
const NO_SPACE = /^[^\0- \u007f]+$/
/** Leads to the same place from all pages of a directory: no query alone, nothing that may have a scheme. */
const IN_DIRECTORY = /^[^?#:]+(?:\?|$)/
const ABSOLUTE = /^https?:\/\//
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i

/**
 * Returns whether an href names the same URL on all pages that share the directory of their base and their
 * encoding, whatever its fragment. Not all that do are recognized.
 */
export function isPageIndependent(href: string): boolean {
  const hash = href.indexOf('#')
  const text = hash < 0 ? href : href.slice(0, hash)
  return NO_SPACE.test(text) && (ABSOLUTE.test(text) || IN_DIRECTORY.test(text))
}

/** Returns whether an href that names no URL names none on any page, and has no fragment to tell it apart. */
export function isPageIndependentFailure(href: string): boolean {
  return OTHER_SCHEME.test(href) && !href.includes('#')
}
