/**
 * The records in the memory of the page scanner. A record consists of 32-bit words. Each of these objects contains the
 * offsets of a record's fields, in words. TypeScript uses the objects themselves. AssemblyScript uses constants that
 * `build/page-scanner.ts` generates from them.
 */

/** Results that the module writes for TypeScript. */
export const CONTROL = {
  /** Number of links and assets of the page in the region `links`. */
  pageLinkCount: 0,
  /** 1 if some of them may turn out not to be links or assets, or to be several. */
  hasCandidates: 1,
  headTagCount: 2,
  /** Start and end of the title's text; `ABSENT` if there is no title. */
  titleStart: 3,
  titleEnd: 4,
  unresolvedCount: 5,
  unjudgedCount: 6,
  reportCount: 7,
  /** Number of different URLs in the scope to which links of the page may be followed. */
  followedCount: 8,
  /** Number of those URLs that are `known`. */
  knownCount: 9,
  /** Number of characters of the URLs of all links. */
  linkCharacters: 10,
  /** Number of characters of the URLs of all assets. */
  assetCharacters: 11,
  /** 1 if the first `<meta>` that may declare an encoding declares UTF-8, as most pages do. */
  declaresUtf8: 12,
} as const

/** A link or an asset of the page. */
export const LINK = {
  /** Start and end in the page of the value of its `href` or `src`. */
  start: 0,
  end: 1,
  /** Start and end of its `rel`; `ABSENT` if there is none. */
  relStart: 2,
  relEnd: 3,
  /** Index after the `>` of its tag. */
  tagEnd: 4,
  /** One of `LINK_KIND`. */
  kind: 5,
  /** One of `NOFOLLOW`. */
  nofollow: 6,
  /** Number of its URL, or one of `NO_TARGET`. */
  target: 7,
} as const

/** A tag of the head that TypeScript reads, with the start and end of its attributes' values. */
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

/** A range of the page that is a text or a tag of media. */
export const SAMPLE = { start: 0, end: 1, isMedia: 2 } as const

/** An open element of SVG or MathML. */
export const OPEN_ELEMENT = {
  /** Start and end of its name in the page. */
  nameStart: 0,
  nameEnd: 1,
  /** Hash of the name in lower case. */
  hash: 2,
  /** Number of its tag, or `UNKNOWN_NAME`. */
  tag: 3,
  /** 1 in MathML, 0 in SVG. */
  isMath: 4,
  /** 1 for an integration point, which may contain HTML. */
  isPoint: 5,
} as const

/** An attribute of the start tag that was read last, with the start and end of its value. */
export const ATTRIBUTE = { start: 0, end: 1 } as const

/** A remembered href. */
export const HREF = {
  /** The upper half of its hash. */
  hash: 0,
  /** Identifies the pages on which the href resolves to the same URL. */
  reach: 1,
  /** Offset in `hrefBytes` of its length, which is followed by its bytes. */
  bytes: 2,
  /** Number of its URL, plus 1; 0 if the record is free. */
  target: 3,
} as const

/** A remembered URL. */
export const TARGET = {
  /** Its start in `urlBytes`. */
  bytes: 0,
  length: 1,
  /** Bits of `TARGET_FLAG`. */
  flags: 2,
  /** Number of the last page that had a link to it. */
  linkedBy: 3,
  /** Number of the last page that had a link to it that must not be followed. */
  refusedBy: 4,
  /** Number of the last page that had it as an asset. */
  loadedBy: 5,
  /** The least depth of a link to it. */
  depth: 6,
  /** Number of the URL that replaces it, if the flag `alias` is set. */
  alias: 7,
} as const

/** A slot of the hash table of URLs. */
export const SLOT = {
  /** The upper half of the URL's hash. */
  hash: 0,
  /** The URL's number, plus 1; 0 if the slot is free. */
  target: 1,
} as const

/** Size of each record, in words. */
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
