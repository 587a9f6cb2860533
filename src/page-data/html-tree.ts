import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'

type Cheerio = typeof import('cheerio/slim')
type Parse5 = typeof import('parse5')
type Adapter = typeof import('parse5-htmlparser2-tree-adapter')

let open: ((html: string) => CheerioAPI) | undefined

/**
 * A page as the tree that the HTML standard makes of it, and that browsers show: a selector which was
 * tried out in one finds the same here. Loaded on the first need: most crawls have none.
 */
export function htmlTree(html: string): CheerioAPI {
  open ??= load()
  return open(html)
}

/** Whether this is a CSS selector, known pseudo-classes included. */
export function isSelector(text: string): boolean {
  try {
    htmlTree('')(text)
    return text !== ''
  } catch {
    return false
  }
}

/** `cheerio` itself brings an HTTP client along, which takes 20 MB and most of its time to load. */
function load() {
  const require = createRequire(import.meta.url)
  const { load }: Cheerio = require('cheerio/slim')
  const { parse }: Parse5 = require('parse5')
  const { adapter: treeAdapter }: Adapter = require('parse5-htmlparser2-tree-adapter')
  // Of the same shape as the nodes of cheerio, though of another version's type.
  return (html: string) => load(parse(html, { treeAdapter }) as unknown as string)
}
