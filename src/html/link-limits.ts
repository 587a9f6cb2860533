/**
 * Links and assets of a page that are read; the rest is ignored. A page with so many takes up to 70 MiB of its worker's
 * heap.
 */
export const MAX_PAGE_LINKS = 100_000

/**
 * Characters of all URLs that the links of a page resolve to. With a base URL of 8,000 characters, 100,000 links of
 * one character would take 800 MB.
 */
export const MAX_LINK_CHARACTERS: number = 2 ** 24
