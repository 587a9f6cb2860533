import { replaceControls } from '../../printable-text.ts'
import type { GraphFormat } from './graph.ts'

/** The language of Graphviz (graphviz.org/doc/info/lang.html). */
export const dot: GraphFormat = {
  head: 'digraph crawl {\n',
  node({ id, url, status, title }) {
    const attributes = [
      `label=${quoted(url)}`,
      `URL=${quoted(url)}`,
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

/** Quotes a text. Escapes quotes, backslashes, which begin escapes in labels, and `&`, which begins references. */
function quoted(text: string): string {
  const plain = replaceControls(text).replaceAll('&', '&amp;')
  const harmless = plain.replace(/[\\"]/g, '\\$&')
  return `"${harmless}"`
}
