import { LINK_REL_END, LINK_REL_START } from './generated/constants.ts'
import { appendLink, setLinkField } from './links.ts'
import { endOf, startOf } from './start-tag.ts'

/** True if some of the page's links may turn out to be none, or several. */
export let hasCandidates: bool = false

export function openCandidates(): void {
  hasCandidates = false
}

/**
 * Adds what may be a link or an asset, or several, by the value of another attribute, which then stands
 * in place of `rel`, or by its own value, if that other one is -1: TypeScript decides.
 */
export function addCandidate(kind: i32, attribute: i32, decidedBy: i32): void {
  hasCandidates = true
  const link = appendLink(kind, startOf(attribute), endOf(attribute))
  if (link < 0 || decidedBy < 0) return
  setLinkField(link, LINK_REL_START, startOf(decidedBy))
  setLinkField(link, LINK_REL_END, endOf(decidedBy))
}
