import { describe, expect, it } from 'vitest'
import { type GraphPage, generateGraph, type SiteGraph } from './generated-graph.ts'

const shape = { seed: 7, pages: 2000, hosts: 3 }

describe('generateGraph', () => {
  it('generates the same graph for the same seed, and different ones for different seeds', () => {
    expect(generateGraph(shape)).toEqual(generateGraph(shape))
    expect(generateGraph({ ...shape, seed: 8 })).not.toEqual(generateGraph(shape))
  })

  it('generates about the requested share of redirects, errors, leaves and links', () => {
    const { pages } = generateGraph({ ...shape, redirects: 0.2, errors: 0.1, leaves: 0.05 })
    const share = (kind: GraphPage['kind']) =>
      pages.filter((page) => page.kind === kind).length / pages.length
    expect(share('redirect')).toBeCloseTo(0.2, 1)
    expect(share('error')).toBeCloseTo(0.1, 1)
    expect(share('leaf')).toBeCloseTo(0.05, 1)
    const html = pages.filter((page) => page.kind === 'html')
    const links = html.reduce((sum, page) => sum + page.targets.length, 0)
    expect(links / html.length).toBeGreaterThan(5)
    expect(links / html.length).toBeLessThan(7)
  })

  it('uses every status and every host, and a unique path for each page', () => {
    const { pages } = generateGraph(shape)
    const statuses = new Set(pages.map((page) => page.status))
    expect([...statuses].sort()).toEqual([200, 301, 302, 307, 404, 500])
    expect(new Set(pages.map((page) => page.host)).size).toBe(3)
    expect(new Set(pages.map((page) => page.path)).size).toBe(pages.length)
  })

  it('generates chains of one, two and three redirects, and no longer ones or loops', () => {
    const graph = generateGraph(shape)
    const lengths = graph.pages.map((_, page) => chainFrom(graph, page))
    expect([...new Set(lengths)].sort()).toEqual([0, 1, 2, 3])
  })

  it('links to every page, also to targets of redirects, from an HTML page', () => {
    const { pages } = generateGraph(shape)
    const linked = new Set(pages.flatMap((page) => (page.kind === 'html' ? page.targets : [])))
    const unlinked = [...pages.keys()].filter((page) => page > 0 && !linked.has(page))
    expect(unlinked).toEqual([])
  })

  it('starts at host 0 or at the first page of every host', () => {
    const graph = generateGraph({ ...shape, seedEveryHost: true })
    expect(generateGraph(shape).seeds).toEqual([0])
    expect(graph.seeds.map((seed) => graph.pages[seed]?.host)).toEqual([0, 1, 2])
  })
})

function chainFrom(graph: SiteGraph, start: number): number {
  let page = graph.pages[start]
  let length = 0
  while (page?.kind === 'redirect' && length < 10) {
    page = graph.pages[page.targets[0] ?? -1]
    length++
  }
  return length
}
