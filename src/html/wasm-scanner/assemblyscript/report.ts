import { publish } from './control.ts'
import {
  CONTROL_ASSET_CHARACTERS,
  CONTROL_FOLLOWED_COUNT,
  CONTROL_KNOWN_COUNT,
  CONTROL_LINK_CHARACTERS,
  CONTROL_REPORT_COUNT,
  LINK_KIND,
  LINK_KIND_ASSET,
  LINK_NOFOLLOW,
  LINK_TARGET,
  MAX_ADDED_LINKS,
  MAX_LINKS,
  NOFOLLOW_YES,
  REPORT_ASSET,
  REPORT_ASSET_SKIP,
  REPORT_KEPT,
  REPORT_LINK,
  REPORT_NEARER,
  REPORT_NOFOLLOW,
  REPORT_OPTION_ALL,
  REPORT_OPTION_AT_DEPTH_LIMIT,
  REPORT_OPTION_EXTERNAL,
  REPORT_OPTION_HEEDS_NOFOLLOW,
  REPORT_OPTION_KEEP,
  REPORT_OPTION_NEARER,
  REPORT_OPTION_PAGE_NOFOLLOW,
  REPORT_SHIFT,
  REPORT_SKIP,
  REPORTS_AT,
  TARGET_ALIAS,
  TARGET_DEPTH,
  TARGET_FLAG_ALIAS,
  TARGET_FLAG_DEPTH_REPORTED,
  TARGET_FLAG_IN_SCOPE,
  TARGET_FLAG_IS_NO_URL,
  TARGET_FLAG_IS_OUTSIDE,
  TARGET_FLAG_KNOWN,
  TARGET_FLAG_NOFOLLOW_REPORTED,
  TARGET_FLAG_SKIP_REPORTED,
  TARGET_FLAGS,
  TARGET_LENGTH,
  TARGET_LINKED_BY,
  TARGET_LOADED_BY,
  TARGET_REFUSED_BY,
} from './generated/constants.ts'
import { linkCount, linkField } from './links.ts'
import { setTargetField, targetField } from './targets.ts'

/** Number of the page whose links are reported. It is stored with each URL that was already found on this page. */
let page: i32 = 0
let options: i32 = 0
let depth: i32 = 0

let reportCount: i32 = 0
let followedCount: i32 = 0
let knownCount: i32 = 0
let linkCharacters: i32 = 0
let assetCharacters: i32 = 0

/**
 * Reports the URLs of the page to TypeScript, each once, in page order. Leaves out URLs that TypeScript has marked as
 * known or as reported, unless all are requested.
 * @param reportOptions bits of `REPORT_OPTION`
 * @param linkDepth depth of the page's links
 */
export function reportLinks(reportOptions: i32, linkDepth: i32): void {
  page++
  options = reportOptions
  depth = linkDepth
  reportCount = followedCount = knownCount = linkCharacters = assetCharacters = 0
  for (let link = 0; link < linkCount; link++) {
    const target = standIn(linkField(link, LINK_TARGET))
    if (target < 0) continue
    if (linkField(link, LINK_KIND) >= LINK_KIND_ASSET) reportAsset(target)
    else reportLink(target, linkField(link, LINK_NOFOLLOW) === NOFOLLOW_YES)
  }
  publish(CONTROL_REPORT_COUNT, reportCount)
  publish(CONTROL_FOLLOWED_COUNT, followedCount)
  publish(CONTROL_KNOWN_COUNT, knownCount)
  publish(CONTROL_LINK_CHARACTERS, linkCharacters)
  publish(CONTROL_ASSET_CHARACTERS, assetCharacters)
}

/** Returns the URL that replaces a URL; the URL itself if none does. */
function standIn(target: i32): i32 {
  return target >= 0 && has(target, TARGET_FLAG_ALIAS) ? targetField(target, TARGET_ALIAS) : target
}

function reportLink(target: i32, isNofollow: bool): void {
  if (has(target, TARGET_FLAG_IS_NO_URL)) {
    if (isFirst(target, TARGET_LINKED_BY))
      reportOnce(target, TARGET_FLAG_SKIP_REPORTED, REPORT_SKIP)
    return
  }
  linkCharacters += targetField(target, TARGET_LENGTH)
  const isInScope = has(target, TARGET_FLAG_IN_SCOPE)
  if (isRefused(target, isNofollow)) {
    if (isFirst(target, TARGET_REFUSED_BY)) {
      reportOnce(target, TARGET_FLAG_NOFOLLOW_REPORTED, REPORT_NOFOLLOW)
    }
  } else if (isFirst(target, TARGET_LINKED_BY)) {
    if (isInScope) follow(target)
    else reportOnce(target, TARGET_FLAG_SKIP_REPORTED, REPORT_SKIP)
  }
}

function reportAsset(target: i32): void {
  if (!has(target, TARGET_FLAG_IS_NO_URL)) assetCharacters += targetField(target, TARGET_LENGTH)
  if (!isFirst(target, TARGET_LOADED_BY)) return
  if (has(target, TARGET_FLAG_IN_SCOPE)) report(target, REPORT_ASSET)
  else reportOnce(target, TARGET_FLAG_SKIP_REPORTED, REPORT_ASSET_SKIP)
}

function isRefused(target: i32, isNofollow: bool): bool {
  if (!wants(REPORT_OPTION_HEEDS_NOFOLLOW)) return false
  if (!isNofollow && !wants(REPORT_OPTION_PAGE_NOFOLLOW)) return false
  // With `external`, links outside of the scope are only checked, not followed.
  return !(wants(REPORT_OPTION_EXTERNAL) && isOutside(target))
}

function isOutside(target: i32): bool {
  return !has(target, TARGET_FLAG_IN_SCOPE) && has(target, TARGET_FLAG_IS_OUTSIDE)
}

function follow(target: i32): void {
  const isKnown = has(target, TARGET_FLAG_KNOWN)
  followedCount++
  if (isKnown) knownCount++
  const isAtLimit = wants(REPORT_OPTION_AT_DEPTH_LIMIT)
  const isNearer = !isAtLimit && becomesNearer(target)
  const isChecked = isKnown || (isAtLimit && has(target, TARGET_FLAG_DEPTH_REPORTED))
  if (!isChecked || wants(REPORT_OPTION_ALL)) report(target, REPORT_LINK)
  else if (isNearer && wants(REPORT_OPTION_NEARER)) report(target, REPORT_NEARER)
  else if (wants(REPORT_OPTION_KEEP)) report(target, REPORT_KEPT)
}

/** Returns whether no earlier page had a link to the URL at this depth or less, and stores the depth. */
function becomesNearer(target: i32): bool {
  if (depth >= targetField(target, TARGET_DEPTH)) return false
  setTargetField(target, TARGET_DEPTH, depth)
  return true
}

/** Reports a URL, unless it was reported before. @param reportedFlag of URLs that were reported for this reason */
function reportOnce(target: i32, reportedFlag: i32, reason: i32): void {
  if (wants(REPORT_OPTION_ALL) || !has(target, reportedFlag)) report(target, reason)
}

function report(target: i32, reason: i32): void {
  assert(reportCount < MAX_LINKS + MAX_ADDED_LINKS)
  store<i32>(REPORTS_AT + (reportCount++ << 2), target | (reason << REPORT_SHIFT))
}

/**
 * Returns whether the URL was not found on this page before, as a link, as a refused link or as an asset.
 * @param field the field of the URL that stands for one of these three
 */
function isFirst(target: i32, field: i32): bool {
  if (targetField(target, field) === page) return false
  setTargetField(target, field, page)
  return true
}

function has(target: i32, flag: i32): bool {
  return (targetField(target, TARGET_FLAGS) & flag) !== 0
}

function wants(option: i32): bool {
  return (options & option) !== 0
}
