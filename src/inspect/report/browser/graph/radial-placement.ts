import type { Point } from './nodes.ts'

/** Distance between a page and the pages it found. */
const STEP = 70

/**
 * Places the pages on circles around the seeds. Each page has a sector as wide as its descendants
 * need. The simulation starts from these places, so it has no knots to undo.
 */
export function placeRadially(points: readonly Point[]): void {
  const order = fromTheRoots(points)
  const weights = new Map<Point, number>()
  for (const { point, parent } of order.toReversed()) {
    const own = weights.get(point) ?? 1
    weights.set(point, own)
    if (parent !== undefined) weights.set(parent, (weights.get(parent) ?? 0) + own)
  }
  const roots = order.filter(({ parent }) => parent === undefined)
  const whole = roots.reduce((sum, { point }) => sum + (weights.get(point) ?? 1), 0)
  /** The first free angle in the sector of each page. */
  const free = new Map<Point | undefined, number>([[undefined, 0]])
  const isAlone = roots.length === 1
  for (const { point, parent, level } of order) {
    const start = free.get(parent) ?? 0
    const width = ((weights.get(point) ?? 1) / whole) * 2 * Math.PI
    free.set(parent, start + width).set(point, start)
    const radius = (isAlone ? level : level + 1) * STEP
    point.x = Math.cos(start + width / 2) * radius
    point.y = Math.sin(start + width / 2) * radius
  }
}

interface RadialStep {
  readonly point: Point
  readonly parent: Point | undefined
  readonly level: number
}

/**
 * Lists each page once, after the page that found it. Records may contain cycles of pages that
 * found each other; the first listed page of a cycle counts as its root.
 */
function fromTheRoots(points: readonly Point[]): RadialStep[] {
  const order: RadialStep[] = []
  const met = new Set<Point>()
  const roots = points.filter(({ finder }) => finder === undefined)
  for (const root of [...roots, ...points]) {
    if (met.has(root)) continue
    met.add(root)
    let next = order.push({ point: root, parent: undefined, level: 0 }) - 1
    for (let step = order[next]; step !== undefined; next += 1, step = order[next]) {
      for (const point of step.point.found) {
        if (met.has(point)) continue
        met.add(point)
        order.push({ point, parent: step.point, level: step.level + 1 })
      }
    }
  }
  return order
}
