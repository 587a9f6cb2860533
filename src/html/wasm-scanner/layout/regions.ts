import { MAX_URL_WORDS, MAX_WORDS } from './boilerplate.ts'
import {
  HREF_PLACES,
  HREF_WAYS,
  MAX_ADDED_LINKS,
  MAX_ANCESTORS,
  MAX_BODY,
  MAX_HEAD_TAGS,
  MAX_HREF_BYTES,
  MAX_LINKS,
  MAX_META_NAMES,
  MAX_OPEN_ELEMENTS,
  MAX_SAMPLES,
  MAX_TARGETS,
  MAX_URL,
  MAX_URL_BYTES,
  PADDING,
  TEXT_BYTES,
  URL_SLOTS,
} from './limits.ts'
import { ATTRIBUTE_NAMES } from './names.ts'
import { WORDS } from './records.ts'

const WORD_BYTES = 4
const ALL_LINKS = MAX_LINKS + MAX_ADDED_LINKS

/** The regions of the memory in order, with their sizes in bytes. */
const SIZES = [
  /** Tables of names and characters, which the compiler places here. */
  ['tables', 2 ** 14],
  ['control', sizeOf('control', 1)],
  ['metaNames', MAX_META_NAMES * TEXT_BYTES],
  ['attributes', sizeOf('attribute', ATTRIBUTE_NAMES.length)],
  ['openElements', sizeOf('openElement', MAX_OPEN_ELEMENTS)],
  ['samples', sizeOf('sample', MAX_SAMPLES)],
  /** Hashes of the words of a text, and of the page's URL. */
  ['words', WORD_BYTES * MAX_WORDS],
  ['urlWords', WORD_BYTES * MAX_URL_WORDS],
  ['headTags', sizeOf('headTag', MAX_HEAD_TAGS)],
  /** A copy of bytes of the page, while they are overwritten by zeros for the prescan. */
  ['putAside', PADDING],
  /** A URL that TypeScript passes to the module. */
  ['passedUrl', MAX_URL + PADDING],
  /** A URL that is joined from a directory and an href. */
  ['joinedUrl', MAX_URL + PADDING],
  /** Numbers of the URLs of directories above the base, the nearest first. */
  ['ancestors', WORD_BYTES * MAX_ANCESTORS],
  ['body', MAX_BODY + PADDING],
  ['links', sizeOf('link', ALL_LINKS)],
  /** Numbers of links that TypeScript must resolve. */
  ['unresolved', WORD_BYTES * MAX_LINKS],
  /** Numbers of URLs for which TypeScript must decide whether they belong to the crawl. */
  ['unjudged', WORD_BYTES * ALL_LINKS],
  /** Numbers of URLs that are reported to TypeScript, each with one of `REPORT`. */
  ['reports', WORD_BYTES * ALL_LINKS],
  ['hrefs', sizeOf('href', HREF_WAYS * HREF_PLACES)],
  ['hrefBytes', MAX_HREF_BYTES + PADDING],
  ['targets', sizeOf('target', MAX_TARGETS)],
  ['slots', sizeOf('slot', URL_SLOTS)],
  ['urlBytes', MAX_URL_BYTES + PADDING],
] as const

export type RegionName = (typeof SIZES)[number][0]

/** A part of the memory. */
export interface Region {
  readonly name: RegionName
  /** Address of its first byte. */
  readonly start: number
  readonly bytes: number
}

/** Number of bytes that processors load at once. Small records should not be in two of these units. */
const CACHE_LINE = 64
/** Unit of WebAssembly's memory, in bytes. */
const MEMORY_PAGE = 2 ** 16

/** All regions, in the order of their addresses. */
export const REGIONS: readonly Region[] = place()
/** Size of the memory, in pages of 64 KiB. */
export const MEMORY_PAGES: number = Math.ceil(endOf(REGIONS) / MEMORY_PAGE)

export function region(name: RegionName): Region {
  const found = REGIONS.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no region ${name}`)
  return found
}

function sizeOf(record: keyof typeof WORDS, count: number): number {
  return WORD_BYTES * WORDS[record] * count
}

function place(): Region[] {
  const regions: Region[] = []
  for (const [name, bytes] of SIZES) {
    const start = Math.ceil(endOf(regions) / CACHE_LINE) * CACHE_LINE
    regions.push({ name, start, bytes })
  }
  return regions
}

function endOf(regions: readonly Region[]): number {
  const last = regions.at(-1)
  return last === undefined ? 0 : last.start + last.bytes
}
