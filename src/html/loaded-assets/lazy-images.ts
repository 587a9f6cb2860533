/** The form in which an attribute contains images: a URL, a list as in `srcset`, or CSS with `url()`. */
export type ImageValue = 'url' | 'srcset' | 'css'

type AttributeValues = readonly (readonly [name: string, value: ImageValue])[]

/**
 * Attributes of `<img>` and `<source>` from which scripts load images lazily: lazysizes, vanilla-lazyload, lozad,
 * jQuery Lazy Load, jQuery Lazy, WP Rocket, Jetpack, Slick, Splide, Unveil, Owl Carousel, Flickity, Echo, xLazyLoader,
 * mod_pagespeed, Cloudflare Mirage, Optimole, Ezoic and NitroPack.
 */
const OF_IMAGES: AttributeValues = [
  ...['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-src-retina'].map(asUrl),
  ...['data-flickity-lazyload', 'data-flickity-lazyload-src', 'data-echo', 'data-cfsrc'].map(asUrl),
  ...['data-lowsrc', 'data-iesrc', 'data-retina', 'data-splide-lazy', 'data-ll-src'].map(asUrl),
  ...['data-pagespeed-lazy-src', 'data-opt-src', 'data-ezsrc', 'nitro-lazy-src'].map(asUrl),
  ...['data-srcset', 'data-lazy-srcset', 'data-original-set', 'data-lazyload-srcset'].map(asSrcset),
  ...['data-flickity-lazyload-srcset', 'data-cfsrcset', 'data-splide-lazy-srcset'].map(asSrcset),
  ...['data-pagespeed-lazy-srcset', 'data-ezsrcset', 'nitro-lazy-srcset'].map(asSrcset),
  asSrcset('data-ll-srcset'),
]
/**
 * Attributes of any element from which scripts load backgrounds lazily. Swiper, Slider Revolution, parallax.js and many
 * themes also use some of them.
 */
const OF_ANY: AttributeValues = [
  ...['data-bg', 'data-bg-hidpi', 'data-background', 'data-background-image'].map(asUrl),
  ...['data-echo-background', 'data-flickity-bg-lazyload', 'data-thumbnail'].map(asUrl),
  ...['data-bg-src', 'data-bg-image', 'data-image-src', 'data-lazyload'].map(asUrl),
  asUrl('data-lazyload-src'),
  asSrcset('data-bgset'),
  ...['data-bg-multi', 'data-bg-multi-hidpi', 'data-bg-set', 'data-background-image-set'].map(
    asCss,
  ),
]
const NONE: ReadonlyMap<string, ImageValue> = new Map()
const BY_TAG: ReadonlyMap<string, ReadonlyMap<string, ImageValue>> = new Map([
  ['img', new Map([...OF_ANY, ...OF_IMAGES])],
  ['source', new Map([...OF_ANY, ...OF_IMAGES])],
  ['video', new Map([...OF_ANY, asUrl('data-poster')])],
  // On these tags, the same attributes contain the URLs of frames and scripts.
  ...['iframe', 'embed', 'script'].map((tag) => [tag, NONE] as const),
])
const BY_ANY = new Map(OF_ANY)

/** Attributes that contain only images. Themes also use the others for other values, such as `data-bg="dark"`. */
const CERTAIN: ReadonlySet<string> = new Set(['data-src', 'data-srcset', 'data-poster'])
const LOOKS_LIKE_URL = /^(?:(?:https?:)?\/\/|\.{0,2}\/)[^{}<>]/i
const LOOKS_LIKE_IMAGE =
  /^[^{}<>"\s]+\.(?:avif|bmp|gif|ico|jfif|jpe?g|png|svg|tiff?|webp)(?:[?#]|$)/i
const CSS_URL = /url\(/i

/** The names of all attributes from which scripts load images. */
export const LAZY_ATTRIBUTES: ReadonlySet<string> = new Set(
  [...OF_IMAGES, ...OF_ANY, asUrl('data-poster')].map(([name]) => name),
)

/**
 * Returns the form in which an attribute contains images that scripts load lazily; undefined if it contains none.
 * @param tag lower case
 * @param name lower case
 */
export function lazyImagesIn(tag: string, name: string, value: string): ImageValue | undefined {
  const kind = (BY_TAG.get(tag) ?? BY_ANY).get(name)
  if (kind === undefined || CERTAIN.has(name)) return kind
  if (kind !== 'srcset' && CSS_URL.test(value)) return 'css'
  if (kind === 'css') return undefined
  const first = value.trim()
  return LOOKS_LIKE_URL.test(first) || isImageName(first.split(/,?\s/, 1)[0]) ? kind : undefined
}

/** Returns whether the path of a URL ends with the extension of an image. */
export function isImageName(url = ''): boolean {
  return LOOKS_LIKE_IMAGE.test(url)
}

function asUrl(name: string): [string, ImageValue] {
  return [name, 'url']
}

function asSrcset(name: string): [string, ImageValue] {
  return [name, 'srcset']
}

function asCss(name: string): [string, ImageValue] {
  return [name, 'css']
}
