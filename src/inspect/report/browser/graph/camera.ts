import type { Point } from './nodes.ts'

/** Free pixels around the graph. */
const MARGIN = 36
const [MIN_SCALE, MAX_SCALE] = [0.02, 12]

/** Maps the plane to the canvas. Positions on the canvas are in CSS pixels. */
export class Camera {
  scale = 1
  /** Position of the plane's origin on the canvas. */
  x = 0
  y = 0

  /** Shows all points. */
  fit(points: readonly Point[], width: number, height: number): void {
    let [left, right, top, bottom] = [0, 0, 0, 0]
    for (const { x, y, radius } of points) {
      left = Math.min(left, x - radius)
      right = Math.max(right, x + radius)
      top = Math.min(top, y - radius)
      bottom = Math.max(bottom, y + radius)
    }
    const fitting = Math.min(
      (width - 2 * MARGIN) / (right - left || 1),
      (height - 2 * MARGIN) / (bottom - top || 1),
    )
    this.scale = Math.min(2, Math.max(MIN_SCALE, fitting))
    this.x = width / 2 - ((left + right) / 2) * this.scale
    this.y = height / 2 - ((top + bottom) / 2) * this.scale
  }

  move(x: number, y: number): void {
    this.x += x
    this.y += y
  }

  /** Zooms around a position of the canvas. */
  zoom(factor: number, x: number, y: number): void {
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.scale * factor))
    this.x = x - ((x - this.x) / this.scale) * scale
    this.y = y - ((y - this.y) / this.scale) * scale
    this.scale = scale
  }

  /** Moves a point to the center. */
  center({ x, y }: Point, width: number, height: number): void {
    this.x = width / 2 - x * this.scale
    this.y = height / 2 - y * this.scale
  }

  placeOf({ x, y }: Point): readonly [x: number, y: number] {
    return [this.x + x * this.scale, this.y + y * this.scale]
  }

  /** Returns the radius on the canvas. On zooming in, points grow more slowly than the distances between them. */
  radiusOf({ radius }: Point): number {
    return Math.max(1.2, radius * Math.min(2, this.scale ** 0.6))
  }

  /**
   * Returns the point at or near a position of the canvas.
   * @param near maximum distance in pixels
   */
  pointAt(points: readonly Point[], x: number, y: number, near: number): Point | undefined {
    let [best, least]: [Point | undefined, number] = [undefined, near]
    for (const point of points) {
      const [px, py] = this.placeOf(point)
      const distance = Math.hypot(px - x, py - y) - this.radiusOf(point)
      if (distance < least) [best, least] = [point, distance]
    }
    return best
  }
}
