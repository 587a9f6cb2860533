import { mixBits } from '../../src/hashing/mix-bits.ts'

/** Returns the page at a path. Pages are computed from their number, so that a server needs no memory for them. */
export type Graph = (path: string) => string

const QUEUE_SHARE = 0.1
/** Number of words in a page's text. */
const WORDS = 12
/** The text at the end of pages of a given size. */
const filler = 'the same on each page '.repeat(100_000)

/**
 * Returns a graph of `pages` pages with `links` links each; all pages can be reached. The first few hundred pages link
 * to a tenth of all pages. After that, each page has one new link, and its other links lead to known pages. So the work
 * per page stays the same from beginning to end.
 */
export function evenGraph(pages: number, links = 30): Graph {
  const ahead = Math.ceil(pages * QUEUE_SHARE)
  const inTree = links - 1
  return (path) => {
    const page = numberOf(path)
    const known = Math.min(pages, page + ahead)
    let html = head(page)
    for (let place = 1; place <= inTree; place++) {
      const child = page * inTree + place
      html += item(child <= ahead ? child : mixed(page, place) % known)
    }
    return html + item((page + ahead) % pages)
  }
}

/**
 * Returns a graph of `pages` pages of `bytes` bytes in few levels. Each page has up to `links` links to pages that no
 * other page links to, and `links` links to random pages.
 */
export function flatGraph(pages: number, bytes: number, urlOf = pathOf, links = 30): Graph {
  const linkTo = (page: number) => item(page, urlOf(page))
  return (path) => {
    const page = numberOf(path)
    let html = head(page)
    for (let place = 1; place <= links; place++) {
      const child = page * links + place
      html += linkTo(mixed(page, place) % pages) + (child < pages ? linkTo(child) : '')
    }
    return html + filler.slice(0, Math.max(0, bytes - html.length))
  }
}

/** Returns a graph in which each page has `links` new links, so that the queue grows as fast as possible. */
export function wideGraph(links = 1_000): Graph {
  return (path) => {
    const page = numberOf(path)
    let html = head(page)
    for (let place = 1; place <= links; place++) html += item(page * links + place)
    return html
  }
}

function numberOf(path: string): number {
  return Number(path.slice(path.lastIndexOf('/') + 1))
}

/** Returns the start of a page, with text of its own: pages without new text count as a trap. */
function head(page: number): string {
  const words = Array.from({ length: WORDS }, (_, place) => word(mixed(page, -place - 1)))
  return `<!DOCTYPE html><title>Page ${page}</title>\n<p>${words.join(' ')}</p>\n`
}

/** Returns a word that represents a number. */
function word(number: number): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 26)) {
    letters += String.fromCharCode(0x61 + (rest % 26))
  }
  return letters
}

function pathOf(page: number): string {
  return `/page/${page}`
}

function item(page: number, url = pathOf(page)): string {
  return `<li><a href="${url}">${page}</a>\n`
}

/** Scrambles the bits of two numbers. */
function mixed(page: number, place: number): number {
  return mixBits(Math.imul(page, 31) + place) >>> 0
}
