import { CONTENT_FIELDS, FieldMatches } from './field-matches.ts'
import { htmlTree, type TreeNode } from './html-tree.ts'

/** Maximum characters of texts and attributes. Those of elements that the parser has copied count each time. */
const MAX_CHARACTERS = 2 * 2 ** 20
const TABLE_PARTS: ReadonlySet<string> = new Set(['tbody', 'tfoot', 'thead', 'tr'])

/** Returns the content of a page as HTML; undefined if it has none. */
export type ContentReader = (html: string) => string | undefined

/**
 * Returns a function that returns the first element of a page that matches a selector, and throws an Error if it would be
 * too long.
 * @param matches memory for the `FieldMatches` of pages with the element
 */
export function contentReader(selector: string, matches?: SharedArrayBuffer): ContentReader {
  const counts = new FieldMatches(CONTENT_FIELDS, matches)
  return (html) => {
    const content = contentHtml(html, selector)
    counts.countPage()
    counts.countField(0, 1, content !== undefined)
    return content
  }
}

function contentHtml(html: string, selector: string): string | undefined {
  const tree = htmlTree(html)
  const [element] = tree(selector)
  if (element === undefined) return undefined
  checkLength(element)
  const content = tree.html(element)
  // Outside a table, the tags of its parts would be ignored.
  return 'name' in element && TABLE_PARTS.has(element.name) ? `<table>${content}</table>` : content
}

function checkLength(element: TreeNode): void {
  let left = MAX_CHARACTERS
  const nodes: TreeNode[] = [element]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { attribs = {}, children = [], data = '' } = node
    left -= data.length
    for (const [name, value] of Object.entries(attribs)) left -= name.length + value.length
    if (left < 0) throw new Error(`its content has more than ${MAX_CHARACTERS} characters`)
    for (const child of children) nodes.push(child)
  }
}
