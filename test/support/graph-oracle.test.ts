import { describe, expect, it } from 'vitest'
import type { GraphPage, SiteGraph } from './generated-graph.ts'
import { expectedVisits } from './graph-oracle.ts'

function html(...targets: number[]): GraphPage {
  return { kind: 'html', host: 0, path: '/', status: 200, targets }
}

function redirect(target: number): GraphPage {
  return { kind: 'redirect', host: 0, path: '/', status: 302, targets: [target] }
}

function graphOf(...pages: GraphPage[]): SiteGraph {
  return { hosts: 2, pages, seeds: [0] }
}

function depths(graph: SiteGraph, depth = 99): Record<number, number> {
  const visits = expectedVisits(graph, { depth })
  return Object.fromEntries([...visits].map(([page, visit]) => [page, visit.depth]))
}

describe('expectedVisits', () => {
  it('returns the length of the shortest path, through cycles and links to the same page', () => {
    const graph = graphOf(html(0, 1, 2), html(2, 0), html(3), html(1))
    expect(depths(graph)).toEqual({ 0: 0, 1: 1, 2: 1, 3: 2 })
  })

  it("doesn't count redirects, nor chains of them", () => {
    const graph = graphOf(html(1), redirect(2), redirect(3), html(4), html())
    expect(depths(graph)).toEqual({ 0: 0, 1: 1, 2: 1, 3: 1, 4: 2 })
  })

  it('returns the smaller depth for a redirect target that is also linked', () => {
    const byRedirect = graphOf(html(1, 2), html(3), redirect(3), html())
    const byLink = graphOf(html(1, 3), html(2), redirect(3), html())
    expect(depths(byRedirect)[3]).toBe(1)
    expect(depths(byLink)).toEqual({ 0: 0, 1: 1, 2: 2, 3: 1 })
  })

  it('ends in a loop of redirects', () => {
    expect(depths(graphOf(html(1), redirect(2), redirect(1)))).toEqual({ 0: 0, 1: 1, 2: 1 })
  })

  it('stops at the depth limit, but follows a redirect at the limit', () => {
    const graph = graphOf(html(1), html(2), redirect(3), html(4), html())
    expect(depths(graph, 1)).toEqual({ 0: 0, 1: 1 })
    expect(depths(graph, 2)).toEqual({ 0: 0, 1: 1, 2: 2, 3: 2 })
  })

  it('returns the status of each page, and omits pages without links to them', () => {
    const missing: GraphPage = { ...html(), kind: 'error', status: 404 }
    const visits = expectedVisits(graphOf(html(1), missing, html()), { depth: 3 })
    expect([...visits.values()].map((visit) => visit.status)).toEqual([200, 404])
  })

  it('omits other hosts and pages behind them on request', () => {
    const away: GraphPage = { ...html(3), host: 1 }
    const graph = graphOf(html(1, 2), away, html(), html())
    const visits = expectedVisits(graph, { depth: 9, seedHostsOnly: true })
    expect([...visits.keys()]).toEqual([0, 2])
  })
})
