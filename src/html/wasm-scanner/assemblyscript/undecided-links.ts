import { LINK_REL_END, LINK_REL_START } from './generated/constants.ts'
import { appendLink, setLinkField } from './links.ts'
import { endOf, startOf } from './start-tag.ts'

/** True if some records of the page may turn out not to be links or assets, or to be several. */
export let hasCandidates: bool = false

export function openCandidates(): void {
  hasCandidates = false
}

/**
 * Adds a value that may be a link, an asset, several assets, or none of these. TypeScript decides.
 * @param decidedBy the attribute that decides, which is kept in place of `rel`; -1 if the value itself decides
 */
export function addCandidate(kind: i32, attribute: i32, decidedBy: i32): void {
  hasCandidates = true
  const link = appendLink(kind, startOf(attribute), endOf(attribute))
  if (link < 0 || decidedBy < 0) return
  setLinkField(link, LINK_REL_START, startOf(decidedBy))
  setLinkField(link, LINK_REL_END, endOf(decidedBy))
}
