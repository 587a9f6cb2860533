import type { TreeNode } from './html-tree.ts'

/** Elements with a line, a paragraph, a cell or an entry of their own in browsers (HTML standard, "Rendering"). */
const SEPARATE_ELEMENTS: ReadonlySet<string> = new Set(
  `address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset
  figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol
  optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp`.split(
    /\s+/,
  ),
)
/**
 * Elements with contents that browsers don't show: hidden ones with scripts turned on (HTML standard, "Hidden
 * elements"), and media, whose contents are for browsers that can't show them.
 */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set(
  'audio canvas datalist head iframe noembed noframes noscript rp script style title video'.split(
    ' ',
  ),
)

/**
 * Returns the text of an element with white space collapsed. As in the `innerText` of browsers, line breaks, cells and
 * blocks are white space, inline elements such as `<b>` are not, and hidden elements are left out, unless the element
 * itself is hidden.
 */
export function elementText(element: TreeNode): string {
  const isHidden = ({ name = '' }: TreeNode) => HIDDEN_ELEMENTS.has(name)
  const omitsHidden = !isHidden(element)
  let text = ''
  // Without recursion, since hostile pages nest elements deeply.
  const pending: (TreeNode | ' ')[] = [element]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === ' ') text += node
    else if (node.type === 'text') text += node.data ?? ''
    else if (node.type !== 'comment' && !(omitsHidden && isHidden(node))) {
      const isSeparate = SEPARATE_ELEMENTS.has(node.name ?? '')
      if (isSeparate) {
        text += ' '
        pending.push(' ')
      }
      for (const child of node.children?.toReversed() ?? []) pending.push(child)
    }
  }
  return text.replace(/\s+/g, ' ').trim()
}
