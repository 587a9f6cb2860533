/** Numbers and bits that TypeScript and the module share. */

/** The kinds of links, by tag and attribute. */
export const LINK_KIND = {
  anchor: 0,
  /** `xlink:href` of an `<a>` in SVG or MathML. */
  oldAnchor: 1,
  area: 2,
  iframe: 3,
  frame: 4,
  /** The content of a `<meta>` that may be a refresh. TypeScript decides. */
  refresh: 5,
  /** A link that TypeScript added, such as a link in a header. */
  added: 6,
  /** The URL of an asset. This kind and all following ones are assets. */
  asset: 7,
  /** The `href` of a `<link>`, which is an asset if its `rel` has a link type that is loaded. TypeScript decides. */
  loadedAsset: 8,
  /**
   * The `src` of an `<input>`, which is an asset if its `type` is `image`. TypeScript decides. The record has the
   * `type` in place of `rel`.
   */
  imageAsset: 9,
  /** The href of an SVG element, which is an asset unless it refers to a part of the page. TypeScript decides. */
  svgAsset: 10,
  /** A `srcset`, which is a list of assets. */
  srcset: 11,
  /** The `imagesrcset` of a `<link>`, which counts if its `rel` has a link type that is loaded. TypeScript decides. */
  loadedSrcset: 12,
  /** An asset that TypeScript added. */
  addedAsset: 13,
} as const

/** The effect of a link's `rel`. */
export const NOFOLLOW = {
  no: 0,
  yes: 1,
  /** TypeScript must decode the `rel` first. */
  uncertain: 2,
} as const

/** Values in place of a URL's number. */
export const NO_TARGET = {
  /** The record turned out not to be a link. */
  notALink: 0xffff_fffe,
  /** TypeScript must resolve the link. */
  unresolved: 0xffff_ffff,
} as const

export const HEAD_TAG_KIND = { base: 0, canonical: 1, meta: 2 } as const

/** Flags of a URL. */
export const TARGET_FLAG = {
  /** TypeScript has decided whether the URL belongs to the crawl. */
  judged: 1,
  inScope: 2,
  /** The URL is outside of `--scope`. A URL without this flag and without `inScope` is skipped for another reason. */
  isOutside: 4,
  /** The text is not a URL, but an href that can't be resolved. */
  isNoUrl: 8,
  /** The URL is in the seen set. */
  known: 16,
  /** The URL was reported as skipped, because it doesn't belong to the crawl or can't be resolved. */
  skipReported: 32,
  /** The URL was reported as skipped because of `nofollow`. */
  nofollowReported: 64,
  /** The URL was reported as beyond the depth limit. */
  depthReported: 128,
  /** Another URL replaces this one. */
  alias: 256,
} as const

/** The reasons for reporting a URL. A report is a 32-bit word with the reason in its bits above the URL's number. */
export const REPORT = {
  /** A link in the scope that may be followed. */
  link: 0,
  /** A link in the scope to a known URL, if no earlier page had a link to it at this depth or less. */
  nearer: 1,
  /** A link that doesn't belong to the crawl, or whose href can't be resolved. */
  skip: 2,
  /** A link that must not be followed. */
  nofollow: 3,
  /** An asset in the scope. */
  asset: 4,
  /** An asset that doesn't belong to the crawl, or whose URL can't be resolved. */
  assetSkip: 5,
  /** Another link in the scope, which needs no check, if the links of the page are kept. */
  kept: 6,
} as const
/** Number of bits of a report that contain the URL's number. */
export const REPORT_SHIFT = 24

/** Bits for `scan`. */
export const SCAN_OPTION = {
  assets: 1,
  samples: 2,
  /** Keep no tag of the head that only declares an encoding: the encoding is known. */
  skipDeclarations: 4,
} as const

/** Results of `scan`. All except `complete` mean that the reference must read the page. */
export const SCAN_RESULT = {
  /** The page was scanned completely. */
  complete: 0,
  /** The page's head has more tags than the module can keep. */
  headTagsMissing: 1,
  /** The page has more links than the module keeps, and only TypeScript can decide which of them count. */
  linksUncertain: 2,
} as const

/** Bits for `reportLinks`. */
export const REPORT_OPTION = {
  /** Obey `rel=nofollow`. */
  heedsNofollow: 1,
  /** The page forbids following any of its links. */
  pageNofollow: 2,
  /** Report links outside of the scope regardless of their `rel`. */
  external: 4,
  /** Report all links, even if they were reported before. */
  all: 8,
  /** The page is at the depth limit. */
  atDepthLimit: 16,
  /** Report a known URL if no earlier page had a link to it at this depth or less. */
  nearer: 32,
  /** Report all links in the scope that may be followed, because the frontier keeps them. */
  keep: 64,
} as const

/** The position of an attribute or element that the page doesn't have. */
export const ABSENT = 0xffff_ffff
/** The number of all names that the scanner doesn't know. */
export const UNKNOWN_NAME = 0xff
