import { percentDecoded } from '../../url/percent-decoded.ts'

/** Fragments that scripts take for places of their own: nothing in the page need have such a name. */
const ROUTE = /^#(?:!|\/)/

/**
 * Whether a fragment leads to a place in a page (HTML standard, "Select the indicated part"). The top
 * of a page is always there, and so is a place that is named by its text (`:~:text=`).
 * @param hash as in a URL, with its `#`
 * @param names what fragments may name there
 */
export function leadsSomewhere(hash: string, names: ReadonlySet<string>): boolean {
  const fragment = hash.slice(1).replace(/:~:.*$/s, '')
  if (fragment === '' || /^top$/i.test(fragment) || ROUTE.test(hash)) return true
  return names.has(fragment) || names.has(percentDecoded(fragment))
}
