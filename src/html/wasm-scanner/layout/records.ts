/**
 * The records in the memory of the page scanner. They consist of 32-bit words; each of these objects
 * gives the places of a record's fields, counted in words. Both sides read them from here: TypeScript
 * as they are, AssemblyScript as the constants that `build/page-scanner.ts` makes of them.
 */

/** Numbers that the module leaves for TypeScript. */
export const CONTROL = {
  /** Links and assets of the page, in the region `links`. */
  pageLinkCount: 0,
  /** 1 where some of them may be none, or several. */
  hasCandidates: 1,
  headTagCount: 2,
  sampleCount: 3,
  /** Where the title's text starts and ends; `ABSENT` where there is no title. */
  titleStart: 4,
  titleEnd: 5,
  unresolvedCount: 6,
  unjudgedCount: 7,
  reportCount: 8,
  /** Different URLs that the page's links name inside the scope, and how many of them are `known`. */
  followedCount: 9,
  knownCount: 10,
  /** Characters of all URLs that links name, and of those that assets name. */
  linkCharacters: 11,
  assetCharacters: 12,
} as const

/** A link, or an asset, as it stands in the page. */
export const LINK = {
  /** Where the value of its `href` or `src` starts and ends in the page. */
  start: 0,
  end: 1,
  /** The same of its `rel`; `ABSENT` where there is none. */
  relStart: 2,
  relEnd: 3,
  /** Returns the index after the `>` of its tag. */
  tagEnd: 4,
  /** One of `LINK_KIND`. */
  kind: 5,
  /** One of `NOFOLLOW`. */
  nofollow: 6,
  /** Number of the URL that it names, or one of `NO_TARGET`. */
  target: 7,
} as const

/** A tag of the head that TypeScript looks at: where the values of its attributes start and end. */
export const HEAD_TAG = {
  /** One of `HEAD_TAG_KIND`. */
  kind: 0,
  hrefStart: 1,
  hrefEnd: 2,
  relStart: 3,
  relEnd: 4,
  charsetStart: 5,
  charsetEnd: 6,
  httpEquivStart: 7,
  httpEquivEnd: 8,
  contentStart: 9,
  contentEnd: 10,
  nameStart: 11,
  nameEnd: 12,
} as const

/** A stretch of the page that shows something. */
export const SAMPLE = { start: 0, end: 1, isMedia: 2 } as const

/** An open element of SVG or MathML. */
export const OPEN_ELEMENT = {
  /** Where its name starts and ends in the page. */
  nameStart: 0,
  nameEnd: 1,
  /** Of the name in lower case. */
  hash: 2,
  /** Number of its tag, or `UNKNOWN_NAME`. */
  tag: 3,
  /** 1 in MathML, 0 in SVG. */
  isMath: 4,
  /** 1 where HTML may stand in it. */
  isPoint: 5,
} as const

/** An attribute of the start tag that was read last: where its value starts and ends. */
export const ATTRIBUTE = { start: 0, end: 1 } as const

/** An href that is remembered. */
export const HREF = {
  /** The upper half of its hash. */
  hash: 0,
  /** Stands for the pages on which the href names the same. */
  reach: 1,
  /** Place in `hrefBytes` of its length, with its bytes behind it. */
  bytes: 2,
  /** Number of the URL that it names, plus 1; 0 where the record is free. */
  target: 3,
} as const

/** A URL that is remembered. */
export const TARGET = {
  /** Where it starts in `urlBytes`, and how long it is. */
  bytes: 0,
  length: 1,
  /** Bits of `TARGET_FLAG`. */
  flags: 2,
  /** Number of the page that named it last: as a link, as one not to be followed, and as an asset. */
  linkedBy: 3,
  refusedBy: 4,
  loadedBy: 5,
  /** The least depth at which a link named it. */
  depth: 6,
  /** Number of the URL that stands for it, where the flag `alias` is set. */
  alias: 7,
} as const

/** A slot of the hash table of URLs. */
export const SLOT = {
  /** The upper half of the URL's hash. */
  hash: 0,
  /** The URL's number, plus 1; 0 where the slot is free. */
  target: 1,
} as const

/** Words of each record. */
export const WORDS = {
  control: wordsOf(CONTROL),
  link: wordsOf(LINK),
  headTag: wordsOf(HEAD_TAG),
  sample: wordsOf(SAMPLE),
  openElement: wordsOf(OPEN_ELEMENT),
  attribute: wordsOf(ATTRIBUTE),
  href: wordsOf(HREF),
  target: wordsOf(TARGET),
  slot: wordsOf(SLOT),
}

function wordsOf(record: object): number {
  return Object.keys(record).length
}
