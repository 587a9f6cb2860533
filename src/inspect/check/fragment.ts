import { percentDecoded } from '../../url/percent-decoded.ts'

/** Fragments that scripts use for routes: the page needs no element of such a name. */
const ROUTE = /^#(?:!|\/)/

/**
 * Returns whether a fragment leads to a place in a page (HTML standard, "Select the indicated
 * part"). The top of a page always exists, and so does a text fragment (`:~:text=`).
 * @param hash as in a URL, with its `#`
 * @param names of the targets in the page
 */
export function hasTarget(hash: string, names: ReadonlySet<string>): boolean {
  const fragment = hash.slice(1).replace(/:~:.*$/s, '')
  if (fragment === '' || /^top$/i.test(fragment) || ROUTE.test(hash)) return true
  return names.has(fragment) || names.has(percentDecoded(fragment))
}
