import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'

type Cheerio = typeof import('cheerio/slim')
type Parse5 = typeof import('parse5')
type Adapter = typeof import('parse5-htmlparser2-tree-adapter')

/** A node of cheerio's tree. */
export interface TreeNode {
  readonly type: string
  /** Set for elements. */
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly attribs?: Readonly<Record<string, string>> | undefined
  /** Set for texts and comments. */
  readonly data?: string | undefined
  readonly children?: readonly TreeNode[]
}

/** The form that was open when the parser created an element. It owns the element, wherever the tree has it. */
export type OpenForms = Map<unknown, unknown>

/**
 * Maximum elements and attributes of the tree of a page. Pages have 1 Mi characters, so real ones stay far below. But
 * parsers copy formatting elements that a page leaves open, such as `<b>`, into each further paragraph.
 */
const MAX_PARTS = 2 ** 18

let open: ((html: string, forms?: OpenForms) => CheerioAPI) | undefined

/**
 * Parses a page into the tree of the HTML standard, as browsers do. So a selector that was tried in a browser finds the
 * same elements here. The parser is loaded when it is first needed, since most crawls don't need it.
 * @param forms receives the elements that were created while a form was open
 * @throws Error if the tree would be too large
 */
export function htmlTree(html: string, forms?: OpenForms): CheerioAPI {
  open ??= load()
  return open(html, forms)
}

/** Parts of a selector that may contain any characters: strings, and texts of `:contains()`. */
const FREE_TEXT = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|=[^\]"']*|:i?contains\([^)]*\)/gs
const ESCAPE = /\\./gs
/** Starts of names that the parser of selectors accepts, although CSS doesn't. */
const BAD_NAME = /[.#[](?![\w\-*|\s\u0080-\uffff])|[@/]/

/** Returns whether a text is a valid CSS selector with known pseudo-classes. */
export function isSelector(text: string): boolean {
  try {
    htmlTree('')(text)
    return text !== '' && !BAD_NAME.test(text.replace(FREE_TEXT, '').replace(ESCAPE, 'x'))
  } catch {
    return false
  }
}

/** Loads the parts of cheerio that parse and select. `cheerio` itself would load an HTTP client, which takes 20 MB. */
function load() {
  const require = createRequire(import.meta.url)
  const { load }: Cheerio = require('cheerio/slim')
  const { Parser }: Parse5 = require('parse5')
  const { adapter }: Adapter = require('parse5-htmlparser2-tree-adapter')
  const treeAdapter = withoutTemplateContents(adapter)
  return (html: string, forms?: OpenForms) => {
    let size = 0
    const parser = new Parser({ treeAdapter: { ...treeAdapter, createElement } })
    parser.tokenizer.write(html, true)
    // The nodes have the same shape as those of cheerio, but the type of another version.
    return load(parser.document as unknown as string)

    function createElement(...parts: Parameters<typeof adapter.createElement>) {
      size += 1 + parts[2].length
      if (size > MAX_PARTS)
        throw new Error(`its tree has more than ${MAX_PARTS} elements and attributes`)
      const element = adapter.createElement(...parts)
      if (parser.formElement) forms?.set(element, parser.formElement)
      return element
    }
  }
}

/**
 * Keeps the contents of templates out of the tree. They belong to no document, so selectors don't match them in
 * browsers, either.
 */
function withoutTemplateContents(adapter: Adapter['adapter']): Adapter['adapter'] {
  type Content = ReturnType<typeof adapter.getTemplateContent>
  // Inside a template, the parser adds to these contents, although they are not in the tree.
  const contents = new WeakMap<object, Content>()
  return {
    ...adapter,
    setTemplateContent: (template, content) => void contents.set(template, content),
    getTemplateContent: (template) => contents.get(template) ?? adapter.createDocumentFragment(),
  }
}
