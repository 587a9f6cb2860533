/**
 * Maximum number of links and assets that are read from a page; the rest are ignored. A page with this many takes up to
 * 70 MiB of its worker's heap.
 */
export const MAX_PAGE_LINKS = 100_000

/**
 * Maximum number of characters of all URLs together that the links of a page resolve to. Without it, 100,000 links of
 * one character, with a base URL of 8,000 characters, would take 800 MB.
 */
export const MAX_LINK_CHARACTERS: number = 2 ** 24
