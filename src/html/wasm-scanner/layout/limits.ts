/** The limits of the page scanner and its memory. */

export { PAGE_BYTES } from '../../../runtime/allocate-pages.ts'
export { MAX_URL_LENGTH as MAX_URL } from '../../../url/resolve.ts'
export { MAX_PAGE_LINKS as MAX_LINKS } from '../../link-limits.ts'
export { PRESCANNED as MAX_PRESCANNED } from '../../reference-scanner/prescan.ts'
export { MAX_VALUE } from '../../reference-scanner/start-tag.ts'
export {
  MAX_SAMPLE_BYTES,
  MAX_SAMPLES,
  MIN_TEXT as MIN_SAMPLE_TEXT,
} from '../../reference-scanner/text-samples.ts'

/** Number of zeros after the page and after other texts, so that 16 bytes can always be read at once. */
export const PADDING = 64
/** Maximum length of a page, in bytes. It is the default of `--max-body`. */
export const MAX_BODY: number = 10 * 2 ** 20
/** Maximum number of links that TypeScript may add to a full page. */
export const MAX_ADDED_LINKS = 4_096
/** Maximum number of tags of a page's head that are kept for TypeScript. */
export const MAX_HEAD_TAGS = 1_024
/** Maximum depth of nested elements of SVG and MathML. Deeper ones are only counted. */
export const MAX_OPEN_ELEMENTS = 256
/** Maximum number of names of `<meta>` elements that are kept for TypeScript. */
export const MAX_META_NAMES = 4
/** Number of bytes that a text takes. The first byte is its length. */
export const TEXT_BYTES = 64
/** Maximum length of a text, in bytes. */
export const MAX_TEXT = 48

/** Maximum number of `../` at the start of an href without which it is remembered. */
export const MAX_ANCESTORS = 16
/** Number of hrefs that share a place in the cache of hrefs. A power of 2. */
export const HREF_WAYS = 4
/** Number of places in that cache. A power of 2. */
export const HREF_PLACES = 2 ** 13
/** Maximum number of bytes of all remembered hrefs. */
export const MAX_HREF_BYTES = 2 ** 21
/** Maximum length of a remembered href, in bytes. */
export const MAX_HREF = 2_048

/** Maximum number of remembered URLs. */
export const MAX_TARGETS = 2 ** 17
/** Number of remembered URLs at which the memory of the tables is allocated at once. */
export const ALLOCATED_AT = 32
/** Number of slots in the hash table of URLs. A power of 2; at most half of the slots are used. */
export const URL_SLOTS = 2 ** 18
/** Maximum number of slots that are checked for a URL. */
export const MAX_PROBES = 32
/** Maximum number of bytes of all remembered URLs. */
export const MAX_URL_BYTES = 12 * 2 ** 20
