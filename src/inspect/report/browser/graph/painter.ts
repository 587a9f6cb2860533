import type { Tone } from '../../tone.ts'
import type { Camera } from './camera.ts'
import { drawLabels } from './labels.ts'
import type { Point } from './nodes.ts'

/** Highlighted parts of the graph. */
export interface Focus {
  /** The page under the pointer, or the chosen one. */
  readonly point: Point | undefined
  /** Search hits; undefined without a search. */
  readonly hits: ReadonlySet<Point> | undefined
  /** True while pages move. Most links are then left out: there are too many for a smooth animation. */
  readonly isMoving: boolean
}

const FAINT = 0.16
const LAYERS: readonly Tone[] = ['fine', 'moved', 'broken']
/** Custom properties of the style sheet, whose values differ between light and dark mode. */
const COLORS = {
  ...{ fine: '--fine', moved: '--amber', broken: '--broken' },
  ...{ line: '--edge', ink: '--ink', paper: '--card', to: '--link', from: '--amber' },
} as const
type Colors = Record<keyof typeof COLORS, string>

/** Draws the graph on a canvas. */
export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #brush: CanvasRenderingContext2D
  readonly #points: readonly Point[]
  /** Links by which pages were found, then all other links. */
  readonly #found: readonly PointPair[]
  readonly #others: readonly PointPair[]
  readonly #camera: Camera

  constructor(canvas: HTMLCanvasElement, points: readonly Point[], camera: Camera) {
    const brush = canvas.getContext('2d')
    if (brush === null) throw new Error('there is no canvas to draw on')
    this.#canvas = canvas
    this.#brush = brush
    // Broken pages are drawn on top.
    this.#points = points.toSorted((a, b) => LAYERS.indexOf(a.tone) - LAYERS.indexOf(b.tone))
    const links = this.#points.flatMap((from) => from.to.map((to): PointPair => [from, to]))
    this.#found = links.filter(([from, to]) => to.finder === from)
    this.#others = links.filter(([from, to]) => to.finder !== from)
    this.#camera = camera
  }

  draw({ point, hits, isMoving }: Focus): void {
    const [brush, colors] = [this.#brush, this.#colors()]
    const density = devicePixelRatio
    const { clientWidth: width, clientHeight: height } = this.#canvas
    this.#canvas.width = Math.round(width * density)
    this.#canvas.height = Math.round(height * density)
    brush.setTransform(density, 0, 0, density, 0, 0)
    const near = point === undefined ? [] : [point, ...point.to, ...point.from]
    const isAny = point !== undefined || hits !== undefined
    const bright = isAny ? new Set([...near, ...(hits ?? [])]) : undefined
    this.#drawAllLinks(colors, bright !== undefined, isMoving)
    if (point !== undefined) {
      this.#drawLinks(
        point.from.map((other) => [other, point]),
        colors.from,
        0.8,
        1.2,
      )
      this.#drawLinks(
        point.to.map((other) => [point, other]),
        colors.to,
        0.8,
        1.2,
      )
    }
    for (const each of this.#points) {
      brush.globalAlpha = bright === undefined || bright.has(each) ? 1 : FAINT
      this.#drawPoint(each, colors, each === point)
    }
    brush.globalAlpha = 1
    const named = bright === undefined ? this.#points : [...bright]
    drawLabels(brush, named, { camera: this.#camera, width, height, first: point, ...colors })
  }

  #drawAllLinks(colors: Colors, isFaint: boolean, isMoving: boolean): void {
    // The more links there are, the fainter each is.
    const share = Math.min(0.5, 900 / (this.#others.length + 1)) + 0.05
    if (!isMoving) this.#drawLinks(this.#others, colors.line, isFaint ? share / 3 : share, 0.6)
    this.#drawLinks(this.#found, colors.line, isFaint ? 0.4 : 1, 1)
  }

  #drawLinks(pairs: readonly PointPair[], color: string, alpha: number, width: number): void {
    const brush = this.#brush
    brush.beginPath()
    for (const [from, to] of pairs) {
      brush.moveTo(...this.#camera.placeOf(from))
      brush.lineTo(...this.#camera.placeOf(to))
    }
    Object.assign(brush, { strokeStyle: color, globalAlpha: alpha, lineWidth: width })
    brush.stroke()
  }

  #drawPoint(point: Point, colors: Colors, isChosen: boolean): void {
    const brush = this.#brush
    const [x, y] = this.#camera.placeOf(point)
    brush.beginPath()
    brush.arc(x, y, this.#camera.radiusOf(point), 0, 2 * Math.PI)
    brush.fillStyle = colors[point.tone]
    brush.fill()
    if (!isChosen) return
    Object.assign(brush, { strokeStyle: colors.ink, lineWidth: 2 })
    brush.stroke()
  }

  #colors(): Colors {
    const style = getComputedStyle(this.#canvas)
    const values = Object.entries(COLORS).map(([name, property]) => [
      name,
      style.getPropertyValue(property).trim(),
    ])
    return Object.fromEntries(values)
  }
}

type PointPair = readonly [from: Point, to: Point]
