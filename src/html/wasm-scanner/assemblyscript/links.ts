import {
  ABSENT,
  LINK_END,
  LINK_KIND,
  LINK_NOFOLLOW,
  LINK_REL_END,
  LINK_REL_START,
  LINK_START,
  LINK_TAG_END,
  LINK_TARGET,
  LINK_WORDS,
  LINKS_AT,
  MAX_ADDED_LINKS,
  MAX_LINKS,
  NO_TARGET_UNRESOLVED,
  NOFOLLOW_NO,
} from './generated/constants.ts'

/** Number of links and assets: those of the page, in page order, followed by those that TypeScript added. */
export let linkCount: i32 = 0
/** True if the page has more links and assets than can be kept. */
export let areLinksMissing: bool = false

let maxPageLinks: i32 = 0
let pageLinkCount: i32 = 0

export function openLinks(max: i32): void {
  assert(max >= 0 && max <= MAX_LINKS)
  linkCount = pageLinkCount = 0
  areLinksMissing = false
  maxPageLinks = max
}

/** Appends a link of the page. Returns its number; -1 if there is no more room. */
export function appendLink(kind: i32, start: i32, end: i32): i32 {
  if (linkCount < maxPageLinks) {
    pageLinkCount++
    return append(kind, start, end)
  }
  areLinksMissing = true
  return -1
}

/** Drops the links that TypeScript added. */
export function dropAdded(): void {
  linkCount = pageLinkCount
}

/** Appends a link that TypeScript added. Returns its number; -1 if there is no more room. */
export function appendAdded(kind: i32): i32 {
  return linkCount < MAX_LINKS + MAX_ADDED_LINKS ? append(kind, ABSENT, ABSENT) : -1
}

export function linkField(link: i32, field: i32): i32 {
  return load<i32>(placeOf(link, field))
}

export function setLinkField(link: i32, field: i32, value: i32): void {
  store<i32>(placeOf(link, field), value)
}

function append(kind: i32, start: i32, end: i32): i32 {
  const link = linkCount++
  setLinkField(link, LINK_START, start)
  setLinkField(link, LINK_END, end)
  setLinkField(link, LINK_REL_START, ABSENT)
  setLinkField(link, LINK_REL_END, ABSENT)
  setLinkField(link, LINK_TAG_END, ABSENT)
  setLinkField(link, LINK_KIND, kind)
  setLinkField(link, LINK_NOFOLLOW, NOFOLLOW_NO)
  setLinkField(link, LINK_TARGET, NO_TARGET_UNRESOLVED)
  return link
}

function placeOf(link: i32, field: i32): usize {
  assert(link >= 0 && link < linkCount)
  return LINKS_AT + ((link * LINK_WORDS + field) << 2)
}
