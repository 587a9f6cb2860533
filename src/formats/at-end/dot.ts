import { replaceControls, shortened } from '../../printable-text.ts'
import type { GraphFormat } from './graph.ts'

/** Maximum characters of a text: Graphviz reads at most 16,384 in quotes, and escapes take up to five each. */
const MAX_CHARACTERS = 3_000

/** The language of Graphviz (graphviz.org/doc/info/lang.html). */
export const dot: GraphFormat = {
  head: 'digraph crawl {\n',
  node({ id, url, status, title }) {
    const attributes = [
      `label=${quoted(url)}`,
      ...(url.length > MAX_CHARACTERS ? [] : [`URL=${quoted(url)}`]),
      ...(status === null ? [] : [`status=${status}`]),
      ...(title === null ? [] : [`tooltip=${quoted(title)}`]),
    ]
    return `  n${id} [${attributes.join(', ')}]\n`
  },
  edge({ page, target, hop }) {
    const style = hop === 'redirect' ? ' [style=dashed]' : ''
    return `  n${page} -> n${target}${style}\n`
  },
  foot: '}\n',
}

/** Quotes a text, shortened. Escapes quotes, backslashes, which begin escapes in labels, and `&`, which begins references. */
function quoted(text: string): string {
  const plain = replaceControls(shortened(text, MAX_CHARACTERS)).replaceAll('&', '&amp;')
  const harmless = plain.replace(/[\\"]/g, '\\$&')
  return `"${harmless}"`
}
