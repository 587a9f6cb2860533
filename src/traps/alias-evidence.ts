import type { AliasEvidence } from '../messages/outcome.ts'
import { contentHashes } from './content-hashes.ts'
import type { PlainForm } from './url-alias.ts'

/** The characters that may follow a segment or a parameter of a URL; empty at the end of the URL. */
const ENDS_PART: ReadonlySet<string> = new Set(['', '/', ';', '?', '&'])

/**
 * Returns the evidence for or against a page being the same as another one, under an alias of its URL.
 * @param links URLs that the page links to
 */
export function aliasEvidence(
  { ids }: PlainForm,
  url: string,
  body: Buffer,
  links: readonly string[],
): AliasEvidence {
  // A session id differs in each link. An id that stays the same selects the content.
  const others = ids.length === 0 ? [] : links.filter((each) => each !== url)
  const isKept = ids.some((id) => others.some((each) => hasPartEndingWith(each, id)))
  return { hashes: contentHashes(body), ...(isKept && { keepsIds: true }) }
}

/** Returns whether a segment or a parameter of a URL equals a text, or ends with it. */
function hasPartEndingWith(url: string, text: string): boolean {
  let at = url.indexOf(text)
  while (at >= 0 && !ENDS_PART.has(url.charAt(at + text.length))) at = url.indexOf(text, at + 1)
  return at >= 0
}
