import { ASSET_ATTRIBUTES, LOADED, SVG_ASSET_TAGS } from '../../reference-scanner/assets.ts'
import { BREAKOUT, CLOSERS, INTEGRATION_POINTS } from '../../reference-scanner/foreign-content.ts'
import { MEDIA_END, RAW_TEXT_END, TAGS, TAGS_AND_ASSETS } from '../../reference-scanner/skim.ts'
import { NAMES } from '../../reference-scanner/start-tag.ts'

/** The attributes that the scanner reads; a number for each is its place in this list. */
export const ATTRIBUTE_NAMES: readonly string[] = NAMES

/**
 * The tags that the scanner knows; a number for each is its place in this list. First the ones that
 * hold raw text, then pictures and the like, then all others that it looks into, then those that name
 * nothing but assets. The last ones matter to SVG and MathML only.
 */
export const TAG_NAMES: readonly string[] = [
  ...new Set([
    ...TAGS_AND_ASSETS.names,
    ...SVG_ASSET_TAGS,
    ...BREAKOUT,
    ...CLOSERS,
    ...Object.values(INTEGRATION_POINTS).flatMap((names) => [...names]),
    ...['annotation-xml', 'font'],
  ]),
]

/** The numbers below which a tag belongs to the first of these groups, and so on. */
export const TAG_ENDS = {
  rawText: RAW_TEXT_END,
  media: MEDIA_END,
  tags: TAGS.names.length,
  assets: TAGS_AND_ASSETS.names.length,
} as const

/** Bits that tell what else a tag does. */
export const TAG_TRAIT = {
  /** Its start tag ends SVG and MathML. */
  breakout: 1,
  /** Its end tag does. */
  closer: 2,
  /** HTML may stand in it, in SVG or in MathML. */
  svgPoint: 4,
  mathPoint: 8,
  /** In SVG it may name an asset. */
  svgAsset: 16,
} as const

/** The traits of each of `TAG_NAMES`. */
export function traitsOf(tag: string): number {
  return (
    (BREAKOUT.has(tag) ? TAG_TRAIT.breakout : 0) |
    (BREAKOUT.has(tag) || CLOSERS.has(tag) ? TAG_TRAIT.closer : 0) |
    (INTEGRATION_POINTS['svg']?.has(tag) === true ? TAG_TRAIT.svgPoint : 0) |
    (INTEGRATION_POINTS['math']?.has(tag) === true ? TAG_TRAIT.mathPoint : 0) |
    (SVG_ASSET_TAGS.has(tag) ? TAG_TRAIT.svgAsset : 0)
  )
}

/** The attributes of a tag that name assets: a bit for each, by its number. */
export function assetAttributesOf(tag: string): number {
  const names = ASSET_ATTRIBUTES[tag] ?? []
  return names.reduce((bits, name) => bits | (1 << ATTRIBUTE_NAMES.indexOf(name)), 0)
}

/** Texts that values of attributes are compared with. */
export const TEXTS: readonly string[] = [
  ...['nofollow', 'canonical', 'refresh', 'content-type', 'image', 'open', 'closed'],
  ...['text/html', 'application/xhtml+xml'],
  ...LOADED,
]
/** The link types among them whose targets are loaded with a page stand from here to the end. */
export const LOADED_START: number = TEXTS.length - LOADED.size
