import { encodeLine } from '../../records/json-line.ts'
import type { PageLinks } from '../../records/visit-attachments.ts'
import type { TextFormat } from './text-output.ts'

/** A link of a page, as a line of JSON. */
interface Edge {
  /** Canonical URL of the page. */
  readonly from: string
  /** Canonical URL of the target, with the link's fragment. */
  readonly to: string
  /** Text of the link. */
  readonly text?: string
}

/** The links of visited pages, in the order of each page: the file of `--links`. */
export const links: TextFormat = {
  head: '',
  encode({ pageLinks }) {
    return pageLinks === undefined ? '' : edgesOf(pageLinks).map(encodeLine).join('')
  },
}

function edgesOf({ from, to, texts }: PageLinks): Edge[] {
  return to.map((url, at) => {
    const text = texts?.[at] ?? ''
    return text === '' ? { from, to: url } : { from, to: url, text }
  })
}
