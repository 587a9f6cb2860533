import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'

type Cheerio = typeof import('cheerio/slim')
type Parse5 = typeof import('parse5')
type Adapter = typeof import('parse5-htmlparser2-tree-adapter')

let open: ((html: string) => CheerioAPI) | undefined

/**
 * Parses a page into the tree of the HTML standard, as browsers do: a selector that was tried in a browser finds the
 * same here. Loaded when it is first needed: most crawls don't.
 */
export function htmlTree(html: string): CheerioAPI {
  open ??= load()
  return open(html)
}

/** Parts of a selector that may have any characters: strings, and texts to look for. */
const FREE_TEXT = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|=[^\]"']*|:i?contains\([^)]*\)/gs
const ESCAPE = /\\./gs
/** Starts of names that the parser of selectors lets through, though CSS doesn't. */
const BAD_NAME = /[.#[](?![\w\-*|\s\u0080-\uffff])|[@/]/

/** Returns whether this is a CSS selector, known pseudo-classes included. */
export function isSelector(text: string): boolean {
  try {
    htmlTree('')(text)
    return text !== '' && !BAD_NAME.test(text.replace(FREE_TEXT, '').replace(ESCAPE, 'x'))
  } catch {
    return false
  }
}

/** `cheerio` itself would load an HTTP client, which takes 20 MB. */
function load() {
  const require = createRequire(import.meta.url)
  const { load }: Cheerio = require('cheerio/slim')
  const { parse }: Parse5 = require('parse5')
  const { adapter }: Adapter = require('parse5-htmlparser2-tree-adapter')
  const treeAdapter = withoutTemplateContents(adapter)
  // Of the same shape as the nodes of cheerio, though of another version's type.
  return (html: string) => load(parse(html, { treeAdapter }) as unknown as string)
}

/** Keeps what templates contain out of the tree: it belongs to no document, so selectors of browsers don't see it. */
function withoutTemplateContents(adapter: Adapter['adapter']): Adapter['adapter'] {
  type Content = ReturnType<typeof adapter.getTemplateContent>
  // The parser goes on inside a template with its contents, wherever they are.
  const contents = new WeakMap<object, Content>()
  return {
    ...adapter,
    setTemplateContent: (template, content) => void contents.set(template, content),
    getTemplateContent: (template) => contents.get(template) ?? adapter.createDocumentFragment(),
  }
}
