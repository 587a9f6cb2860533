import { addAssets, addSvgAsset, areAssetsWanted } from './assets.ts'
import {
  ATTRIBUTE_CHARSET,
  ATTRIBUTE_CONTENT,
  ATTRIBUTE_HREF,
  ATTRIBUTE_HTTP_EQUIV,
  ATTRIBUTE_NAME,
  ATTRIBUTE_REL,
  ATTRIBUTE_SRC,
  ATTRIBUTE_XLINK_HREF,
  HEAD_TAG_KIND_BASE,
  HEAD_TAG_KIND_CANONICAL,
  HEAD_TAG_KIND_META,
  LINK_KIND_ANCHOR,
  LINK_KIND_AREA,
  LINK_KIND_FRAME,
  LINK_KIND_IFRAME,
  LINK_KIND_OLD_ANCHOR,
  LINK_KIND_REFRESH,
  LINK_NOFOLLOW,
  LINK_REL_END,
  LINK_REL_START,
  LINK_TAG_END,
  NOFOLLOW_UNCERTAIN,
  NOFOLLOW_YES,
  TAG_A,
  TAG_AREA,
  TAG_BASE,
  TAG_FRAME,
  TAG_IFRAME,
  TAG_LINK,
  TAG_META,
  TEXT_CANONICAL,
  TEXT_CONTENT_TYPE,
  TEXT_NOFOLLOW,
  TEXT_REFRESH,
  TEXT_TEXT_HTML_CHARSET_UTF_8,
  TEXT_UTF_8,
} from './generated/constants.ts'
import { addHeadTag, openHeadTags } from './head-tags.ts'
import { appendLink, setLinkField } from './links.ts'
import { hasWord, isText, isUncertain, isWantedName } from './match-attribute-values.ts'
import { endOf, has, hasValue, startOf } from './start-tag.ts'
import { addCandidate } from './undecided-links.ts'

/*
 * Collects the parts of a page from the tags that the scanner finds. Only plain ASCII values are compared here. All
 * other tags that may matter are kept for TypeScript.
 */

let skipsDeclarations: bool = false

/** @param isEncodingKnown true to leave out tags that only declare an encoding */
export function openHead(isEncodingKnown: bool): void {
  skipsDeclarations = isEncodingKnown
  openHeadTags()
}

/** Adds the links, assets and head tags of the tag that was read last. */
export function addTag(tag: i32, tagEnd: i32): void {
  if (tag === TAG_A) addLink(LINK_KIND_ANCHOR, ATTRIBUTE_HREF, tagEnd)
  else if (tag === TAG_META) addMeta()
  else if (tag === TAG_LINK) addCanonical()
  else if (tag === TAG_BASE) addBase()
  else if (tag === TAG_AREA) addLink(LINK_KIND_AREA, ATTRIBUTE_HREF, tagEnd)
  else if (tag === TAG_IFRAME) addLink(LINK_KIND_IFRAME, ATTRIBUTE_SRC, tagEnd)
  else if (tag === TAG_FRAME) addLink(LINK_KIND_FRAME, ATTRIBUTE_SRC, tagEnd)
  if (areAssetsWanted) addAssets(tag)
}

/** Does the same for SVG and MathML. The `href` of an `<a>` takes precedence over the older `xlink:href`. */
export function addForeignTag(tag: i32, tagEnd: i32): void {
  if (tag === TAG_A) {
    if (has(ATTRIBUTE_HREF)) addLink(LINK_KIND_ANCHOR, ATTRIBUTE_HREF, tagEnd)
    else addLink(LINK_KIND_OLD_ANCHOR, ATTRIBUTE_XLINK_HREF, tagEnd)
  } else if (areAssetsWanted) addSvgAsset(tag)
}

function addLink(kind: i32, attribute: i32, tagEnd: i32): void {
  if (!hasValue(attribute)) return
  const link = appendLink(kind, startOf(attribute), endOf(attribute))
  if (link < 0) return
  setLinkField(link, LINK_TAG_END, tagEnd)
  if (!hasValue(ATTRIBUTE_REL)) return
  const start = startOf(ATTRIBUTE_REL)
  const end = endOf(ATTRIBUTE_REL)
  setLinkField(link, LINK_REL_START, start)
  setLinkField(link, LINK_REL_END, end)
  if (isUncertain(start, end)) setLinkField(link, LINK_NOFOLLOW, NOFOLLOW_UNCERTAIN)
  else if (hasWord(start, end, TEXT_NOFOLLOW)) setLinkField(link, LINK_NOFOLLOW, NOFOLLOW_YES)
}

function addMeta(): void {
  const isRefresh = mayBe(ATTRIBUTE_HTTP_EQUIV, TEXT_REFRESH)
  if (isRefresh && hasValue(ATTRIBUTE_CONTENT)) {
    addCandidate(LINK_KIND_REFRESH, ATTRIBUTE_CONTENT, ATTRIBUTE_HTTP_EQUIV)
  }
  const isNamed = hasValue(ATTRIBUTE_NAME) && hasValue(ATTRIBUTE_CONTENT)
  const isWanted = isNamed && isWantedName(startOf(ATTRIBUTE_NAME), endOf(ATTRIBUTE_NAME))
  if (isWanted || (!skipsDeclarations && mayDeclareEncoding())) addHeadTag(HEAD_TAG_KIND_META)
}

/** Adds the `<meta>` that was read last, but only if it may declare the page's encoding. */
export function addDeclaration(): void {
  if (mayDeclareEncoding()) addHeadTag(HEAD_TAG_KIND_META)
}

function mayDeclareEncoding(): bool {
  if (has(ATTRIBUTE_CHARSET)) return true
  if (!has(ATTRIBUTE_HTTP_EQUIV) || !has(ATTRIBUTE_CONTENT)) return false
  return isText(startOf(ATTRIBUTE_HTTP_EQUIV), endOf(ATTRIBUTE_HTTP_EQUIV), TEXT_CONTENT_TYPE)
}

/** Returns whether the `<meta>` that was read last declares UTF-8, in the form of most pages. */
export function declaresUtf8(): bool {
  if (has(ATTRIBUTE_CHARSET)) {
    return isText(startOf(ATTRIBUTE_CHARSET), endOf(ATTRIBUTE_CHARSET), TEXT_UTF_8)
  }
  if (!mayDeclareEncoding()) return false
  const start = startOf(ATTRIBUTE_CONTENT)
  return isText(start, endOf(ATTRIBUTE_CONTENT), TEXT_TEXT_HTML_CHARSET_UTF_8)
}

function addCanonical(): void {
  if (!hasValue(ATTRIBUTE_REL) || !hasValue(ATTRIBUTE_HREF)) return
  const start = startOf(ATTRIBUTE_REL)
  const end = endOf(ATTRIBUTE_REL)
  if (hasWord(start, end, TEXT_CANONICAL) || isUncertain(start, end))
    addHeadTag(HEAD_TAG_KIND_CANONICAL)
}

function addBase(): void {
  if (hasValue(ATTRIBUTE_HREF)) addHeadTag(HEAD_TAG_KIND_BASE)
}

/** Returns whether the value of an attribute is equal to a text, or may be equal after decoding. */
function mayBe(attribute: i32, text: i32): bool {
  if (!hasValue(attribute)) return false
  const start = startOf(attribute)
  const end = endOf(attribute)
  return isText(start, end, text) || isUncertain(start, end)
}
