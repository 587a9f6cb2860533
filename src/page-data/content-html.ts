import { htmlTree } from './html-tree.ts'

/** Maximum characters of texts and attributes. Those of elements that the parser has copied count each time. */
const MAX_CHARACTERS = 2 * 2 ** 20
const TABLE_PARTS: ReadonlySet<string> = new Set(['tbody', 'tfoot', 'thead', 'tr'])

/** A node of the tree: a text, or an element with its attributes. */
interface ContentNode {
  readonly data?: string
  readonly attribs?: Readonly<Record<string, string>>
  readonly children?: readonly ContentNode[]
}

/**
 * Returns the first element of a page that matches a selector, as HTML; undefined if there is none.
 * @throws Error if it would be too long
 */
export function contentHtml(html: string, selector: string): string | undefined {
  const tree = htmlTree(html)
  const [element] = tree(selector)
  if (element === undefined) return undefined
  checkLength(element)
  const content = tree.html(element)
  // Outside a table, the tags of its parts would be ignored.
  return 'name' in element && TABLE_PARTS.has(element.name) ? `<table>${content}</table>` : content
}

function checkLength(element: ContentNode): void {
  let left = MAX_CHARACTERS
  const nodes = [element]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { attribs = {}, children = [], data = '' } = node
    left -= data.length
    for (const [name, value] of Object.entries(attribs)) left -= name.length + value.length
    if (left < 0) throw new Error(`its content has more than ${MAX_CHARACTERS} characters`)
    for (const child of children) nodes.push(child)
  }
}
