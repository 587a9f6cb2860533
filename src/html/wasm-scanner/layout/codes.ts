/** Numbers and bits that both sides of the page scanner know by name. */

/** What a link is, by its tag and attribute. */
export const LINK_KIND = {
  anchor: 0,
  /** `xlink:href` of an `<a>` in SVG or MathML. */
  oldAnchor: 1,
  area: 2,
  iframe: 3,
  frame: 4,
  /** The content of what may be a `<meta http-equiv=refresh>`: TypeScript decides. */
  refresh: 5,
  /** A link that TypeScript added, one of a header for example. */
  added: 6,
  /** From here on assets. The URL of one: */
  asset: 7,
  /** The same, if the `rel` of its `<link>` names something that is loaded. */
  loadedAsset: 8,
  /** The same, if the `type` of its `<input>`, which stands in place of `rel`, is `image`. */
  imageAsset: 9,
  /** The same, unless it names a part of the page. */
  svgAsset: 10,
  /** A list of assets. */
  srcset: 11,
  /** The same, if the `rel` of its `<link>` names something that is loaded. */
  loadedSrcset: 12,
  /** An asset that TypeScript added. */
  addedAsset: 13,
} as const

/** Says if `rel` asks not to follow a link. */
export const NOFOLLOW = {
  no: 0,
  yes: 1,
  /** It takes TypeScript to tell. */
  uncertain: 2,
} as const

/** What stands in place of a URL's number. */
export const NO_TARGET = {
  /** The link names nothing. */
  none: 0xffff_fffe,
  /** It takes TypeScript to tell what the link names. */
  unresolved: 0xffff_ffff,
} as const

export const HEAD_TAG_KIND = { base: 0, canonical: 1, meta: 2 } as const

/** What is known of a URL. */
export const TARGET_FLAG = {
  /** TypeScript has decided whether it belongs to the crawl. */
  judged: 1,
  inScope: 2,
  /** It is of another host; out of the scope for another reason where this is not set. */
  isOutside: 4,
  /** It is no URL, but an href that names none. */
  isNoUrl: 8,
  /** It has passed the URL-seen test. */
  known: 16,
  /** It was reported as out of the scope, as one not to be followed, as one beyond the depth limit. */
  skipReported: 32,
  nofollowReported: 64,
  depthReported: 128,
  /** Another URL stands for it. */
  alias: 256,
} as const

/** Why a URL is reported, in a word above its number. */
export const REPORT = {
  /** A link inside the scope that may be followed. */
  link: 0,
  /** The same, to a known URL that no page before named at so small a depth. */
  nearer: 1,
  /** A link out of the scope. */
  skip: 2,
  /** A link that is not to be followed. */
  nofollow: 3,
  asset: 4,
  /** An asset out of the scope. */
  assetSkip: 5,
} as const
/** Bits of a report that are the URL's number. */
export const REPORT_SHIFT = 24

/** How a page is to be scanned. */
export const SCAN_OPTION = { assets: 1, samples: 2 } as const

/** Why a page that was scanned is left to the reference after all. */
export const SCAN_RESULT = {
  /** It isn't. */
  whole: 0,
  /** There are more tags in its head than are kept. */
  headTagsMissing: 1,
  /** There are more links than are kept, and it takes TypeScript to tell which of them count. */
  linksUncertain: 2,
} as const

/** How links are to be reported. */
export const REPORT_OPTION = {
  /** `rel=nofollow` counts. */
  heedsNofollow: 1,
  /** The page asks not to follow any of its links. */
  pageNofollow: 2,
  /** Links out of the scope are reported, whatever their `rel` says. */
  external: 4,
  /** All are reported, whatever was told before. */
  all: 8,
  /** The page stands at the depth limit. */
  atDepthLimit: 16,
  /** Known URLs are reported when no page before named them at so small a depth. */
  nearer: 32,
} as const

/** Stands for the place of what the page doesn't have. */
export const ABSENT = 0xffff_ffff
/** Stands for a name that the scanner doesn't look for. */
export const UNKNOWN_NAME = 0xff
