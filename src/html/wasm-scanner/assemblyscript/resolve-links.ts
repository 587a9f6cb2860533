import { publish } from './control.ts'
import {
  AMPERSAND,
  CONTROL_UNJUDGED_COUNT,
  CONTROL_UNRESOLVED_COUNT,
  HASH,
  LINK_END,
  LINK_KIND,
  LINK_KIND_ASSET,
  LINK_KIND_REFRESH,
  LINK_NOFOLLOW,
  LINK_START,
  LINK_TARGET,
  MAX_ADDED_LINKS,
  MAX_LINKS,
  NOFOLLOW_UNCERTAIN,
  TARGET_FLAG_IS_NO_URL,
  TARGET_FLAG_JUDGED,
  TARGET_FLAGS,
  UNJUDGED_AT,
  UNRESOLVED_AT,
} from './generated/constants.ts'
import { keepHref, recallHref } from './href-cache.ts'
import { baseTarget, join, leaveBase, locateHref, openBase, reach, tail } from './join-href.ts'
import { appendAdded, dropAdded, linkCount, linkField, setLinkField } from './links.ts'
import { byteAt, bytesAt } from './page-bytes.ts'
import { targetField } from './targets.ts'

/** The result for a link that TypeScript must resolve. */
const UNRESOLVED: i32 = -1
/** The result for a link if there is no more room for URLs. */
const NO_ROOM: i32 = -2

let unresolvedCount: i32 = 0
let unjudgedCount: i32 = 0

/**
 * Resolves the links of the page to URLs by remembered hrefs, or by joining them with the base. The others are left to
 * TypeScript.
 * @param baseLength length of the base URL in `passedUrl`; 0 if there is none
 * @param encoding a number for the encoding of the page
 * @returns false if there is no more room for URLs
 */
export function resolveLinks(baseLength: i32, encoding: i32): bool {
  unresolvedCount = unjudgedCount = 0
  dropAdded()
  if (baseLength === 0) leaveBase()
  else if (!openBase(baseLength, encoding)) return false
  for (let link = 0; link < linkCount; link++) {
    const target = targetOfLink(link)
    if (target === NO_ROOM) return false
    if (target === UNRESOLVED) addUnresolved(link)
    else setTarget(link, target)
  }
  publish(CONTROL_UNRESOLVED_COUNT, unresolvedCount)
  publish(CONTROL_UNJUDGED_COUNT, unjudgedCount)
  return true
}

/**
 * Sets the URL of a link that was left to TypeScript.
 * @param isCacheable whether to remember the href, since it resolves to this URL on other pages, too
 */
export function setLinkTarget(link: i32, target: i32, isCacheable: bool): void {
  setTarget(link, target)
  publish(CONTROL_UNJUDGED_COUNT, unjudgedCount)
  if (!isCacheable || baseTarget < 0) return
  const start = linkField(link, LINK_START)
  const end = endOfHref(start, linkField(link, LINK_END))
  if (end === start) return
  locateHref(start, end)
  keepHref(tail, end - tail, reach, target)
}

/**
 * Adds a link that TypeScript has found, after those of the page.
 * @returns false if there is no more room for links
 */
export function addLink(kind: i32, target: i32, nofollow: i32): bool {
  const link = appendAdded(kind)
  if (link < 0) return false
  setLinkField(link, LINK_NOFOLLOW, nofollow)
  setTarget(link, target)
  publish(CONTROL_UNJUDGED_COUNT, unjudgedCount)
  return true
}

function targetOfLink(link: i32): i32 {
  const kind = linkField(link, LINK_KIND)
  const isCandidate = kind === LINK_KIND_REFRESH || kind > LINK_KIND_ASSET
  if (baseTarget < 0 || isCandidate || linkField(link, LINK_NOFOLLOW) === NOFOLLOW_UNCERTAIN) {
    return UNRESOLVED
  }
  const start = linkField(link, LINK_START)
  const valueEnd = linkField(link, LINK_END)
  const end = endOfHref(start, valueEnd)
  // The href is empty or only a fragment.
  if (end === start) return baseTarget
  locateHref(start, end)
  const known = recallHref(tail, end - tail, reach)
  // An href that can't be resolved is reported as written, with its fragment, so TypeScript must read it.
  if (known >= 0) return end < valueEnd && isNoUrl(known) ? UNRESOLVED : known
  const joined = join(start, end)
  if (joined >= 0) keepHref(tail, end - tail, reach, joined)
  return joined
}

function isNoUrl(target: i32): bool {
  return (targetField(target, TARGET_FLAGS) & TARGET_FLAG_IS_NO_URL) !== 0
}

/**
 * Returns the index of the href's fragment; the href's end if there is none. A `#` after an `&` may be part of a
 * character reference, so it isn't recognized as a fragment.
 */
function endOfHref(start: i32, end: i32): i32 {
  const hash = i8x16.splat(<i8>HASH)
  const ampersand = i8x16.splat(<i8>AMPERSAND)
  for (let at = start; at < end; at += 16) {
    const bytes = bytesAt(at)
    const hits = i8x16.bitmask(v128.or(i8x16.eq(bytes, hash), i8x16.eq(bytes, ampersand)))
    if (hits === 0) continue
    const found = at + ctz(hits)
    return found < end && byteAt(found) === HASH ? found : end
  }
  return end
}

function setTarget(link: i32, target: i32): void {
  setLinkField(link, LINK_TARGET, target)
  if (target < 0 || (targetField(target, TARGET_FLAGS) & TARGET_FLAG_JUDGED) !== 0) return
  assert(unjudgedCount < MAX_LINKS + MAX_ADDED_LINKS)
  store<i32>(UNJUDGED_AT + (unjudgedCount++ << 2), target)
}

function addUnresolved(link: i32): void {
  assert(unresolvedCount < MAX_LINKS)
  store<i32>(UNRESOLVED_AT + (unresolvedCount++ << 2), link)
}
