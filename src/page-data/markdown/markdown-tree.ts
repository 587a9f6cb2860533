import { htmlTree, type TreeNode } from '../html-tree.ts'
import { type Attributes, MarkdownNode } from './markdown-node.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
/** The elements around all others. */
const FRAMES: ReadonlySet<string> = new Set(['html', 'head', 'body'])

/** The attributes that are written as texts. Their line breaks would begin headings and lists. */
const WRITTEN = ['alt', 'title']

/**
 * Returns the tree of a page for Turndown: an element with the content of `<head>` and `<body>`.
 * @throws Error if the tree would be too large
 */
export function markdownTree(html: string): MarkdownNode {
  const root = MarkdownNode.element('MAIN', {})
  const [document] = htmlTree(html).root()
  if (document !== undefined) appendContent(root, document)
  return root
}

function appendContent(parent: MarkdownNode, { children = [] }: TreeNode): void {
  for (const child of children) {
    if (child.type === 'text') parent.append(MarkdownNode.text(child.data ?? ''))
    else if (child.attribs !== undefined) appendElement(parent, child, child.attribs)
  }
}

function appendElement(parent: MarkdownNode, element: TreeNode, attributes: Attributes): void {
  const { name = '', namespace = HTML } = element
  if (FRAMES.has(name)) {
    appendContent(parent, element)
    return
  }
  const node = MarkdownNode.element(namespace === HTML ? name.toUpperCase() : name, attributes)
  for (const text of WRITTEN) {
    const written = node.getAttribute(text)
    if (written?.includes('\n')) node.setAttribute(text, written.replace(/\s+/g, ' '))
  }
  parent.append(node)
  appendContent(node, element)
}
