/** What is bounded in the memory of the page scanner, and by how much. */

import { MAX_URL_LENGTH } from '../../../url/resolve.ts'
import { MAX_LINK_CHARACTERS, MAX_PAGE_LINKS } from '../../link-limits.ts'
import { PRESCANNED } from '../../reference-scanner/prescan.ts'
import { MAX_VALUE as MAX_ATTRIBUTE_VALUE } from '../../reference-scanner/start-tag.ts'
import { MAX_KEPT, MAX_LENGTH, MIN_TEXT } from '../../reference-scanner/text-samples.ts'

/** Zeros behind the page and behind other texts, so that 16 bytes may be read at once. */
export const PADDING = 64
/** Bytes of the longest page: as many as a crawl reads of one, unless it is told otherwise. */
export const MAX_BODY: number = 10 * 2 ** 20
/** Bytes of the longest value of an attribute that counts for anything. */
export const MAX_VALUE: number = MAX_ATTRIBUTE_VALUE
/** Bytes in which a page must declare its encoding. */
export const MAX_PRESCANNED: number = PRESCANNED
/** Characters of the longest URL. */
export const MAX_URL: number = MAX_URL_LENGTH
/** Texts and pictures kept of a page, bytes of each, and bytes from which a text says something. */
export const MAX_SAMPLES: number = MAX_KEPT
export const MAX_SAMPLE_BYTES: number = MAX_LENGTH
export const MIN_SAMPLE_TEXT: number = MIN_TEXT
/** Characters of the URLs that the links of a page may name together. */
export const MAX_CHARACTERS: number = MAX_LINK_CHARACTERS
/** Links and assets of a page, and links that are added to them. */
export const MAX_LINKS: number = MAX_PAGE_LINKS
export const MAX_ADDED_LINKS = 4_096
/** Tags of a page's head that TypeScript looks at. */
export const MAX_HEAD_TAGS = 1_024
/** Elements of SVG and MathML inside each other; deeper ones are only counted. */
export const MAX_OPEN_ELEMENTS = 256
/** Names of `<meta>` elements that TypeScript is shown. */
export const MAX_META_NAMES = 4
/** Bytes that a text takes, its length in the first of them; and those of the longest text. */
export const TEXT_BYTES = 64
export const MAX_TEXT = 48

/** Hrefs that share a place, and places: powers of 2. */
export const HREF_WAYS = 4
export const HREF_PLACES = 2 ** 13
/** Bytes of the hrefs that are remembered, and of the longest of them. */
export const MAX_HREF_BYTES = 2 ** 21
export const MAX_HREF = 2_048

export const MAX_TARGETS = 2 ** 17
/** A power of 2, of which half is filled at most. */
export const URL_SLOTS = 2 ** 18
/** Slots that are looked at for a URL. */
export const MAX_PROBES = 32
/** Bytes of the URLs that are remembered. */
export const MAX_URL_BYTES = 12 * 2 ** 20
