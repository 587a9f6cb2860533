import {
  AMPERSAND,
  ATTRIBUTE_HREF,
  ATTRIBUTE_IMAGESRCSET,
  ATTRIBUTE_REL,
  ATTRIBUTE_SRCSET,
  ATTRIBUTE_TYPE,
  ATTRIBUTE_XLINK_HREF,
  HASH,
  LINK_KIND_ASSET,
  LINK_KIND_IMAGE_ASSET,
  LINK_KIND_LOADED_ASSET,
  LINK_KIND_LOADED_SRCSET,
  LINK_KIND_SRCSET,
  LINK_KIND_SVG_ASSET,
  LOADED_END,
  LOADED_START,
  TAG_ASSETS_AT,
  TAG_INPUT,
  TAG_LINK,
  TAG_TRAIT_SVG_ASSET,
  TEXT_IMAGE,
} from './generated/constants.ts'
import { appendLink } from './links.ts'
import { hasWord, isText, isUncertain } from './match-attribute-values.ts'
import { traitsOf } from './names.ts'
import { byteAt } from './page-bytes.ts'
import { endOf, hasValue, startOf } from './start-tag.ts'
import { addCandidate } from './undecided-links.ts'

export let areAssetsWanted: bool = false

export function openAssets(areWanted: bool): void {
  areAssetsWanted = areWanted
}

/** Adds the assets that a browser would load for the HTML tag that was read last. */
export function addAssets(tag: i32): void {
  let attributes = load<u32>(TAG_ASSETS_AT + (tag << 2))
  if (attributes === 0) return
  if (tag === TAG_LINK) addLoaded()
  else if (tag === TAG_INPUT) addImageButton(ctz(attributes))
  else {
    for (; attributes !== 0; attributes &= attributes - 1) addAssetOf(ctz(attributes))
  }
}

/** Adds the asset of an SVG element. Its `href` takes precedence over the older `xlink:href`. */
export function addSvgAsset(tag: i32): void {
  if ((traitsOf(tag) & TAG_TRAIT_SVG_ASSET) === 0) return
  const attribute = hasValue(ATTRIBUTE_HREF) ? ATTRIBUTE_HREF : ATTRIBUTE_XLINK_HREF
  if (!isFilled(attribute)) return
  const first = byteAt(startOf(attribute))
  // Usually, `<use>` refers to a part of the page itself.
  if (first === AMPERSAND) addCandidate(LINK_KIND_SVG_ASSET, attribute, -1)
  else if (first !== HASH) addAsset(attribute)
}

function addAssetOf(attribute: i32): void {
  if (!isFilled(attribute)) return
  if (attribute === ATTRIBUTE_SRCSET) addCandidate(LINK_KIND_SRCSET, attribute, -1)
  else addAsset(attribute)
}

/** Adds the assets of a `<link>`, if one of its link types means that its target is loaded with the page. */
function addLoaded(): void {
  if (!hasValue(ATTRIBUTE_REL)) return
  const start = startOf(ATTRIBUTE_REL)
  const end = endOf(ATTRIBUTE_REL)
  const isLoaded = isLoadedType(start, end)
  if (!isLoaded && !isUncertain(start, end)) return
  if (isFilled(ATTRIBUTE_HREF)) {
    if (isLoaded) addAsset(ATTRIBUTE_HREF)
    else addCandidate(LINK_KIND_LOADED_ASSET, ATTRIBUTE_HREF, ATTRIBUTE_REL)
  }
  if (isFilled(ATTRIBUTE_IMAGESRCSET)) {
    addCandidate(LINK_KIND_LOADED_SRCSET, ATTRIBUTE_IMAGESRCSET, ATTRIBUTE_REL)
  }
}

function addImageButton(attribute: i32): void {
  if (!hasValue(ATTRIBUTE_TYPE) || !isFilled(attribute)) return
  const start = startOf(ATTRIBUTE_TYPE)
  const end = endOf(ATTRIBUTE_TYPE)
  if (isText(start, end, TEXT_IMAGE)) addAsset(attribute)
  else if (isUncertain(start, end)) addCandidate(LINK_KIND_IMAGE_ASSET, attribute, ATTRIBUTE_TYPE)
}

function addAsset(attribute: i32): void {
  appendLink(LINK_KIND_ASSET, startOf(attribute), endOf(attribute))
}

function isLoadedType(start: i32, end: i32): bool {
  for (let text = LOADED_START; text < LOADED_END; text++) {
    if (hasWord(start, end, text)) return true
  }
  return false
}

/** Returns whether the tag has the attribute, with a value that is not empty and not too long. */
function isFilled(attribute: i32): bool {
  return hasValue(attribute) && endOf(attribute) > startOf(attribute)
}
