/** Maximum number of characters that are read of a `<noscript>`. */
const MAX_NOSCRIPT = 2_000
/** Maximum number of elements that are checked. */
const MAX_ELEMENTS = 200

const LINK = /<a(?=[\s/])[^<>]{0,2000}?\shref\s*=/i
const NOSCRIPT = /<noscript(?=[\s>])/gi
const ASKS_FOR_SCRIPTS = /java\s?script|\benable\b[^<]{0,40}\bjs\b/i
/** An element without content that has an id, or whose name is that of a custom element. */
const EMPTY = /<([a-z][a-z0-9]{0,30}(?:-[a-z0-9-]{1,50})?)((?:\s[^<>]{0,500})?)>\s{0,50}<\/\1\s*>/gi
/** Ids of the elements that applications are mounted in. */
const MOUNT_POINT =
  /\sid\s*=\s*["']?(?:_*(?:app|root|main|next|nuxt|gatsby|svelte|sapper|redoc|content|container|mount|react-root|swagger-ui|q-app|ember-app)|app-[\w-]{1,30}|[\w-]{1,30}-(?:app|root))["'\s>]/i

/** Counts the signs that a page needs its scripts, from 0 to 3. The count only determines the order of pages. */
export function scriptSigns(html: string): number {
  return [!LINK.test(html), hasMountPoint(html), asksForScripts(html)].filter(Boolean).length
}

/** Returns whether a page has an empty element that scripts are likely to fill. */
function hasMountPoint(html: string): boolean {
  return firstOf(html, EMPTY).some(
    ([, name = '', attributes = '']) => name.includes('-') || MOUNT_POINT.test(`${attributes} `),
  )
}

/** Returns whether a page asks its readers to enable JavaScript. */
function asksForScripts(html: string): boolean {
  return firstOf(html, NOSCRIPT).some(({ index }) => {
    const [text = ''] = html.slice(index, index + MAX_NOSCRIPT).split(/<\/noscript/i, 1)
    return ASKS_FOR_SCRIPTS.test(text)
  })
}

function firstOf(html: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of html.matchAll(pattern)) {
    if (matches.push(match) >= MAX_ELEMENTS) break
  }
  return matches
}
