import { isPermalink } from '../permalink.ts'
import { HEADING, hasNameOf, type MarkdownNode, type MarkdownRule } from './markdown-node.ts'

const SCRIPT_URL = /^\s*javascript:/i

/** Leaves out links without content, and those that only lead to the place where they are. Needs URLs as written. */
export const emptyLink: MarkdownRule = {
  filter(node) {
    const href = node.nodeName === 'A' ? node.getAttribute('href') : null
    if (href === null) return false
    const text = node.textContent
    return (text.trim() === '' || isPermalink(href, text)) && !node.contains(hasNameOf('IMG'))
  },
  replacement: () => '',
}

/** Keeps only the text of links that run a script, and of headings that are links to themselves. */
export const textLink: MarkdownRule = {
  filter(node) {
    const href = node.nodeName === 'A' ? (node.getAttribute('href') ?? '') : ''
    const isOwn = href.startsWith('#') && HEADING.test(node.parentNode?.nodeName ?? '')
    return isOwn || SCRIPT_URL.test(href)
  },
  replacement: (content) => content,
}

/** Attributes from which scripts load an image. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-original']
/** Matches what a page shows until a script loads the image: nothing, or data in the page itself. */
const PLACEHOLDER = /^\s*(?:data:|$)/i

/** Sets the URL of an image that a script loads. Returns whether an image is left that has no URL, or its data in the page. */
export function isImageWithoutUrl(node: MarkdownNode): boolean {
  if (node.nodeName !== 'IMG' || !PLACEHOLDER.test(node.getAttribute('src') ?? '')) return false
  const url = LAZY_SOURCES.map((name) => node.getAttribute(name)).find(Boolean)
  if (url) node.setAttribute('src', url)
  return !url
}
