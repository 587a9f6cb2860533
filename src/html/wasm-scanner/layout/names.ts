import { PIECE_TAGS } from '../../boilerplate/page-pieces.ts'
import {
  ASSET_ATTRIBUTES,
  LOADED_LINK_TYPES,
  SVG_ASSET_TAGS,
} from '../../reference-scanner/assets.ts'
import { BREAKOUT, CLOSERS, INTEGRATION_POINTS } from '../../reference-scanner/foreign-content.ts'
import { MEDIA_END, RAW_TEXT_END, TAGS, TAGS_AND_ASSETS } from '../../reference-scanner/skim.ts'
import { ATTRIBUTE_NAMES } from '../../reference-scanner/start-tag.ts'

/** The attributes that the scanner reads. The number of each is its index in this list. */
export { ATTRIBUTE_NAMES }

/**
 * The tags that the scanner knows. The number of each is its index in this list. The order is: tags with raw text,
 * media tags, other tags whose attributes are always read, tags that have only assets, and tags that matter only for
 * SVG and MathML, or for boilerplate detection.
 */
export const TAG_NAMES: readonly string[] = [
  ...new Set([
    ...TAGS_AND_ASSETS.names,
    ...SVG_ASSET_TAGS,
    ...BREAKOUT,
    ...CLOSERS,
    ...Object.values(INTEGRATION_POINTS).flatMap((names) => [...names]),
    ...['annotation-xml', 'font'],
    ...PIECE_TAGS,
  ]),
]

/** The end of each of these groups: the number after that of its last tag. */
export const TAG_ENDS = {
  rawText: RAW_TEXT_END,
  media: MEDIA_END,
  tags: TAGS.names.length,
  assets: TAGS_AND_ASSETS.names.length,
} as const

/** Further properties of a tag, as bits. */
export const TAG_TRAIT = {
  /** The start tag ends SVG and MathML. */
  breakout: 1,
  /** The end tag ends SVG and MathML. */
  closer: 2,
  /** The element is an integration point of SVG, which may contain HTML. */
  svgPoint: 4,
  /** The element is an integration point of MathML, which may contain HTML. */
  mathPoint: 8,
  /** The element may have an asset in SVG. */
  svgAsset: 16,
  /** The tag is a piece of media for boilerplate detection. */
  piece: 32,
} as const

/** Returns the traits of a tag as bits of `TAG_TRAIT`. */
export function traitsOf(tag: string): number {
  return (
    (BREAKOUT.has(tag) ? TAG_TRAIT.breakout : 0) |
    (BREAKOUT.has(tag) || CLOSERS.has(tag) ? TAG_TRAIT.closer : 0) |
    (INTEGRATION_POINTS['svg']?.has(tag) === true ? TAG_TRAIT.svgPoint : 0) |
    (INTEGRATION_POINTS['math']?.has(tag) === true ? TAG_TRAIT.mathPoint : 0) |
    (SVG_ASSET_TAGS.has(tag) ? TAG_TRAIT.svgAsset : 0) |
    (PIECE_TAGS.includes(tag) ? TAG_TRAIT.piece : 0)
  )
}

/** Returns one bit for each attribute of a tag that contains assets, by the attribute's number. */
export function assetAttributesOf(tag: string): number {
  const names = ASSET_ATTRIBUTES[tag] ?? []
  return names.reduce((bits, name) => bits | (1 << ATTRIBUTE_NAMES.indexOf(name)), 0)
}

/** The texts with which values of attributes are compared. */
export const TEXTS: readonly string[] = [
  ...['nofollow', 'canonical', 'refresh', 'content-type', 'image', 'open', 'closed'],
  ...['text/html', 'application/xhtml+xml', 'utf-8', 'text/html; charset=utf-8'],
  ...LOADED_LINK_TYPES,
]
/** Index of the first text that is a link type whose target is loaded with the page. All following texts are, too. */
export const LOADED_START: number = TEXTS.length - LOADED_LINK_TYPES.size
