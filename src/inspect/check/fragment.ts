import { percentDecoded } from '../../url/percent-decoded.ts'

/** Fragments that scripts use as routes. The page needs no element with that name. */
const ROUTE = /^#(?:!|\/)/
const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/**
 * Returns whether a fragment leads to a place in a page (HTML standard, "Select the indicated
 * part"). The top of a page always exists, and so does a text fragment (`:~:text=`).
 * @param fragment with its `#`
 * @param names names of the elements in the page that a fragment can lead to
 */
export function hasTarget(fragment: string, names: ReadonlySet<string>): boolean {
  const name = fragment.slice(1).replace(/:~:.*$/s, '')
  if (name === '' || /^top$/i.test(name) || ROUTE.test(fragment)) return true
  // Only escapes are decoded. Decoding a whole text fails at a lone `%`, which stands for itself.
  return names.has(name) || names.has(name.replace(ESCAPES, percentDecoded))
}
