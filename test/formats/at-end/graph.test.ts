import { readFileSync } from 'node:fs'
import { parse } from '@ts-graphviz/ast'
import { describe, expect, it } from 'vitest'
import { dot } from '../../../src/formats/at-end/dot.ts'
import { graphDerivation } from '../../../src/formats/at-end/graph.ts'
import { graphml } from '../../../src/formats/at-end/graphml.ts'
import { useFolder } from '../../support/state-run.ts'
import { keepsTheContract } from '../output-contract.ts'
import { derive } from './derive.ts'
import { readXml, textsOf } from './read-xml.ts'

const path = useFolder()

/** Returns the nodes and edges of a Graphviz file. */
function readDot(file: string) {
  const { children } = parse(readFileSync(file, 'utf8'), { startRule: 'Graph' })
  const valuesOf = (statement: { children: readonly { type: string }[] }) =>
    statement.children.flatMap((child) =>
      'key' in child && 'value' in child ? [[child.key, child.value] as [NewUrls, NewUrls]] : [],
    )
  return children.flatMap((child) => {
    if (child.type === 'Node') return [[child.id.value, shown(valuesOf(child))]]
    if (child.type !== 'Edge') return []
    const ends = child.targets.map((end) => ('id' in end ? end.id.value : ''))
    return [[...ends, shown(valuesOf(child))]]
  })
}

interface NewUrls {
  readonly value: string
}

const shown = (pairs: readonly [NewUrls, NewUrls][]) =>
  Object.fromEntries(pairs.map(([key, value]) => [key.value, value.value]))

const readGraphml = (file: string) =>
  readXml(file).filter(({ name }) => name === 'node' || name === 'edge' || name === 'data')

keepsTheContract({ file: 'links.dot', read: readDot })
keepsTheContract({ file: 'links.graphml', read: readGraphml })

const SITE = [
  {
    ...{ url: 'http://a.test/', status: 200, depth: 0, title: 'a "b" \\n <c> &copy;\u0007' },
    outlinks: ['http://a.test/moved', 'http://a.test/beyond?q=\\'],
  },
  { url: 'http://a.test/moved', status: 301, depth: 1, redirectsTo: 'http://a.test/' },
]

describe('a link graph', () => {
  it('has a node for each URL, and edges for links and redirects, in Graphviz format', () => {
    derive(path('a.dot'), graphDerivation(dot), SITE)
    expect(readDot(path('a.dot'))).toMatchObject([
      [
        'n1',
        { label: 'http://a.test/', status: '200', tooltip: 'a "b" \\\\n <c> &amp;copy;\ufffd' },
      ],
      ['n2', { label: 'http://a.test/moved', status: '301' }],
      ['n3', { label: 'http://a.test/beyond?q=\\\\' }],
      ['n1', 'n2', {}],
      ['n1', 'n3', {}],
      ['n2', 'n1', { style: 'dashed' }],
    ])
  })

  it('has no text that is too long for Graphviz', () => {
    const url = `http://a.test/?${'&'.repeat(7_000)}`
    derive(path('a.dot'), graphDerivation(dot), [{ url, status: 200, depth: 0 }])
    const texts = readFileSync(path('a.dot'), 'utf8').match(/"[^"]*"/g) ?? []
    expect(texts.map(({ length }) => length < 16_000)).toEqual([true])
    expect(texts[0]).toMatch(/^"http:\/\/a\.test\/\?(?:&amp;)+…"$/)
  })

  it('has edges from redirects to the URLs that were visited in place of their targets', () => {
    const site = [
      { url: 'http://a.test/moved', status: 301, redirectsTo: 'http://a.test/a/' },
      { url: 'http://a.test/a', status: 200 },
    ]
    derive(path('a.dot'), graphDerivation(dot), site, (url) => url.replace(/\/$/, ''))
    expect(readDot(path('a.dot'))).toMatchObject([
      ['n1', { label: 'http://a.test/a' }],
      ['n2', { label: 'http://a.test/moved' }],
      ['n2', 'n1', { style: 'dashed' }],
    ])
  })

  it('has the same content in GraphML', () => {
    derive(path('a.graphml'), graphDerivation(graphml), SITE)
    const elements = readXml(path('a.graphml'))
    const edges = elements.filter(({ name }) => name === 'edge').map(({ attributes }) => attributes)
    expect(edges.map(({ source, target }) => `${source} ${target}`)).toEqual([
      'n1 n2',
      'n1 n3',
      'n2 n1',
    ])
    const data = textsOf(path('a.graphml'), 'data')
    expect(data).toEqual([
      ...['http://a.test/', '200', '0', 'a "b" \\n <c> &copy;\ufffd'],
      ...['http://a.test/moved', '301', '1', 'http://a.test/beyond?q=\\'],
      ...['link', 'link', 'redirect'],
    ])
  })
})
