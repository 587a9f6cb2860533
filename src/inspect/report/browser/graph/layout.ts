import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from 'd3-force'
import type { Point } from './nodes.ts'
import { placeRadially } from './radial-placement.ts'

/** Number of rounds of the simulation until the layout is stable. */
const ROUNDS = 160
/** Milliseconds per frame for the layout, so that the page stays smooth. */
const BUDGET = 14

/**
 * Finds positions for pages. A page is near the pages that it found; other pages keep their distance.
 */
export class Layout {
  readonly #forces: Simulation<Point, undefined>

  constructor(points: Point[]) {
    placeRadially(points)
    const links = points.flatMap((point) =>
      point.found.map((target) => ({ source: point, target })),
    )
    this.#forces = forceSimulation(points)
      .alphaDecay(1 - 0.001 ** (1 / ROUNDS))
      .force('found', forceLink(links).distance(reach).strength(0.6))
      .force('apart', forceManyBody().strength(-38).distanceMax(500))
      .force('x', forceX(0).strength(0.025))
      .force('y', forceY(0).strength(0.025))
      .stop()
  }

  /**
   * Computes as many rounds as a frame has time for.
   * @returns true while pages still move
   */
  step(): boolean {
    const end = performance.now() + BUDGET
    while (this.#isMoving && performance.now() < end) this.#forces.tick()
    return this.#isMoving
  }

  get #isMoving(): boolean {
    return this.#forces.alpha() >= this.#forces.alphaMin()
  }
}

/** Returns the distance between a page and the pages that it found: many pages need a wide circle. */
function reach({ source }: { source: Point }): number {
  return 16 + 4 * Math.sqrt(source.found.length)
}
