import { XML_HEAD, xmlText } from '../../encoding/escape-xml.ts'
import type { GraphFormat, GraphNode } from './graph.ts'

const KEYS = {
  url: 'string',
  status: 'int',
  depth: 'int',
  title: 'string',
} satisfies Partial<Record<keyof GraphNode, string>>

const NODE_KEYS = Object.entries(KEYS)
  .map(([name, type]) => key(name, 'node', type))
  .join('')

/** GraphML (graphml.graphdrawing.org), as Gephi, yEd and networkx read it. */
export const graphml: GraphFormat = {
  head: `${XML_HEAD}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${NODE_KEYS}${key('hop', 'edge', 'string')}<graph id="crawl" edgedefault="directed">
`,
  node({ id, ...values }) {
    const { url, status, depth, title } = values
    const data = Object.entries({ url, status, depth, title }).flatMap(([name, value]) => {
      return value === null ? [] : [datum(name, String(value))]
    })
    return `<node id="n${id}">${data.join('')}</node>\n`
  },
  edge({ page, target, hop }) {
    return `<edge source="n${page}" target="n${target}">${datum('hop', hop)}</edge>\n`
  },
  foot: '</graph>\n</graphml>\n',
}

function key(name: string, of: 'node' | 'edge', type: string): string {
  return `<key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`
}

function datum(key: string, value: string): string {
  return `<data key="${key}">${xmlText(value)}</data>`
}
