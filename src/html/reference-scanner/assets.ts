import { srcsetUrls } from '../../url/srcset.ts'
import { isImageName } from '../style-sheet/lazy-images.ts'
import { relKeywords } from './rel-keywords.ts'
import type { AttributeName } from './start-tag.ts'

/** Returns the decoded value of an attribute of the current tag. */
type Read = (attribute: AttributeName) => string | undefined

/** The attributes that contain URLs of assets, by tag. Browsers read `<image>` as `<img>`. */
export const ASSET_ATTRIBUTES: Readonly<Record<string, readonly AttributeName[]>> = {
  audio: ['src'],
  embed: ['src'],
  image: ['src', 'srcset'],
  img: ['src', 'srcset'],
  input: ['src'],
  link: ['href', 'imagesrcset'],
  object: ['data'],
  script: ['src'],
  source: ['src', 'srcset'],
  track: ['src'],
  video: ['src', 'poster'],
  body: ['background'],
  table: ['background'],
  tbody: ['background'],
  td: ['background'],
  tfoot: ['background'],
  th: ['background'],
  thead: ['background'],
  tr: ['background'],
}
/** The HTML tags that may have assets. */
export const ASSET_TAGS: readonly string[] = Object.keys(ASSET_ATTRIBUTES)

export const SVG_ASSET_TAGS: ReadonlySet<string> = new Set(['feimage', 'image', 'script', 'use'])

/** The link types whose target is an image. */
const ICONS: ReadonlySet<string> = new Set(
  'icon apple-touch-icon apple-touch-icon-precomposed mask-icon'.split(' '),
)
/** The link types whose target a browser loads with the page. */
export const LOADED_LINK_TYPES: ReadonlySet<string> = new Set([
  ...ICONS,
  ...['stylesheet', 'preload', 'modulepreload', 'manifest'],
])

/** The attributes that contain URLs of images, by tag. */
const IMAGE_ATTRIBUTES: typeof ASSET_ATTRIBUTES = {
  ...ASSET_ATTRIBUTES,
  audio: [],
  script: [],
  source: ['srcset'],
  track: [],
  video: ['poster'],
}
/** The link types whose target is an image, for a `<link>` with `as=image`. */
const IMAGE_PRELOADS: ReadonlySet<string> = new Set([...ICONS, 'preload'])
const SVG_IMAGE_TAGS: ReadonlySet<string> = new Set(['feimage', 'image'])

/** Returns the URLs that a browser would load for an HTML element, as written in the page, at most `max`. */
export function assetsOf(tag: string, read: Read, max: number): string[] {
  return urlsIn(ASSET_ATTRIBUTES[tag], LOADED_LINK_TYPES, tag, read, max)
}

/** Returns the images among the assets of an HTML element. */
export function imagesOf(tag: string, read: Read, max: number): string[] {
  if (tag === 'embed' || tag === 'object') return imageIn(ASSET_ATTRIBUTES[tag], tag, read, max)
  const isPreload = tag === 'link' && read('as')?.toLowerCase() === 'image'
  return urlsIn(IMAGE_ATTRIBUTES[tag], isPreload ? IMAGE_PRELOADS : ICONS, tag, read, max)
}

/** Returns the URL of an `<embed>` or `<object>` if it is an image by its `type`, or else by its extension. */
function imageIn(
  attributes: readonly AttributeName[] = [],
  tag: string,
  read: Read,
  max: number,
): string[] {
  const urls = urlsIn(attributes, LOADED_LINK_TYPES, tag, read, max)
  const type = read('type')
  return urls.filter((url) => (type === undefined ? isImageName(url) : /^image\//i.test(type)))
}

function urlsIn(
  attributes: readonly AttributeName[] = [],
  types: ReadonlySet<string>,
  tag: string,
  read: Read,
  max: number,
): string[] {
  if (tag === 'link' && !relKeywords(read('rel')).some((type) => types.has(type))) return []
  if (tag === 'input' && read('type')?.toLowerCase() !== 'image') return []
  const urls: string[] = []
  for (const attribute of attributes) {
    const value = read(attribute) ?? ''
    if (attribute.endsWith('srcset')) urls.push(...srcsetUrls(value, max - urls.length))
    else if (value !== '' && urls.length < max) urls.push(value)
  }
  return urls
}

/** Returns the asset of an SVG element. Its `href` takes precedence over the older `xlink:href`. */
export function svgAssetsOf(tag: string, read: Read, max: number): string[] {
  const url = SVG_ASSET_TAGS.has(tag) ? (read('href') ?? read('xlink:href') ?? '') : ''
  // Usually, `<use>` refers to a part of the page itself.
  return url === '' || url.startsWith('#') || max <= 0 ? [] : [url]
}

/** Returns the images among the assets of an SVG element. */
export function svgImagesOf(tag: string, read: Read, max: number): string[] {
  return SVG_IMAGE_TAGS.has(tag) ? svgAssetsOf(tag, read, max) : []
}
