import type { GraphData } from '../../embedded-graph.ts'
import { type Tone, toneOf } from '../../tone.ts'

/** A page of the graph, with its position in the plane. */
export interface Point {
  readonly index: number
  readonly url: string
  /** Lower-case text for the search. */
  readonly text: string
  readonly outcome: string
  readonly tone: Tone
  readonly depth: number | null
  finder: Point | undefined
  /** Pages that this page was the first to link to. */
  readonly found: Point[]
  readonly to: Point[]
  readonly from: Point[]
  radius: number
  x: number
  y: number
}

/** Radius of a page that found no others. The radius grows with the number of pages found. */
const RADIUS = 2.6
const MAX_RADIUS = 14
/** Extra radius that makes broken pages stand out. */
const EXTRA = { fine: 0, moved: 0.6, broken: 1.4 }

/** Returns the pages of a graph. Links between them are references from one to the other. */
export function pointsOf({ pages, links }: GraphData): Point[] {
  const points: Point[] = []
  for (const [index, [url, outcome, depth]] of pages.entries()) {
    const shown = String(outcome ?? 'no response')
    const place = { index, radius: RADIUS, x: 0, y: 0 }
    const others = { finder: undefined, found: [], to: [], from: [] }
    const text = `${url} ${shown}`.toLowerCase()
    points.push({ ...place, ...others, url, text, depth, outcome: shown, tone: toneOf(shown) })
  }
  for (const [index, [, , , foundBy]] of pages.entries()) {
    const [finder, point] = [points[foundBy], points[index]]
    if (finder === undefined || point === undefined) continue
    point.finder = finder
    finder.found.push(point)
  }
  for (let at = 0; at < links.length; at += 2) {
    const [from, to] = [points[links[at] ?? -1], points[links[at + 1] ?? -1]]
    if (from === undefined || to === undefined) continue
    from.to.push(to)
    to.from.push(from)
  }
  for (const point of points) {
    point.radius = Math.min(MAX_RADIUS, RADIUS + EXTRA[point.tone] + Math.sqrt(point.found.length))
  }
  return points
}
