import type { GraphData } from '../../embedded-graph.ts'
import { createSpan, withClass } from '../elements.ts'
import { Camera } from './camera.ts'
import { createBar, createZoomButtons } from './controls.ts'
import { createDetails } from './details.ts'
import { listen } from './gestures.ts'
import { Layout } from './layout.ts'
import { type Point, pointsOf } from './nodes.ts'
import { Painter } from './painter.ts'

/** Scale for showing a page that was chosen by name. */
const CLOSE = 1.2
/** Maximum pixels between the pointer and a page that it chooses. */
const NEAR = 8

/** The link graph: computes its layout while it is visible, and redraws it after changes. */
export class GraphView {
  readonly #points: Point[]
  readonly #layout: Layout
  readonly #painter: Painter
  readonly #camera = new Camera()
  readonly #canvas = document.createElement('canvas')
  readonly #tip = createSpan('', 'tip')
  readonly #details = withClass('div', 'details')
  #chosen: Point | undefined
  #hovered: Point | undefined
  #hits: ReadonlySet<Point> | undefined
  /** True once the user has moved or zoomed the graph; until then the whole graph is shown. */
  #isViewChanged = false
  #isMoving = true
  #isDue = false

  constructor(data: GraphData) {
    this.#points = pointsOf(data)
    this.#layout = new Layout(this.#points)
    this.#painter = new Painter(this.#canvas, this.#points, this.#camera)
  }

  show(place: HTMLElement): void {
    this.#canvas.tabIndex = 0
    this.#canvas.role = 'img'
    this.#canvas.ariaLabel = 'Link graph: arrows move it, plus and minus zoom, search finds pages'
    this.#details.ariaLive = 'polite'
    this.#tip.hidden = true
    const stage = withClass('div', 'stage')
    const buttons = createZoomButtons(
      (factor) => this.#zoom(factor),
      () => this.#showAll(),
    )
    stage.append(this.#canvas, buttons, this.#tip)
    const frame = withClass('div', 'graph')
    frame.append(stage, this.#details)
    place.replaceChildren(
      createBar(
        (words) => this.#search(words),
        () => this.#chooseHit(),
      ),
      frame,
    )
    this.#choose(undefined)
    this.#listen()
    this.#play()
  }

  #listen(): void {
    const at = (x: number, y: number) => this.#camera.pointAt(this.#points, x, y, NEAR)
    listen(this.#canvas, {
      move: (x, y) => this.#move(x, y),
      zoom: (factor, x, y) => this.#zoom(factor, x, y),
      hover: (x, y) => this.#hover(at(x, y)),
      choose: (x, y) => this.#choose(at(x, y)),
      leave: () => this.#hover(undefined),
      release: () => this.#choose(undefined),
    })
    new ResizeObserver(() => this.#draw()).observe(this.#canvas)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw())
  }

  /** Moves the pages to their places, frame by frame. */
  #play(): void {
    this.#isMoving = this.#layout.step()
    this.#draw()
    this.#canvas.dataset['state'] = this.#isMoving ? 'moving' : 'still'
    if (this.#isMoving) requestAnimationFrame(() => this.#play())
  }

  /** Schedules a redraw, at most one per frame. */
  #draw(): void {
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => {
      this.#isDue = false
      if (!this.#isViewChanged) this.#camera.fit(this.#points, ...this.#size)
      const point = this.#hovered ?? this.#chosen
      this.#painter.draw({ point, hits: this.#hits, isMoving: this.#isMoving })
    })
  }

  get #size(): [width: number, height: number] {
    return [this.#canvas.clientWidth, this.#canvas.clientHeight]
  }

  #move(x: number, y: number): void {
    this.#isViewChanged = true
    this.#camera.move(x, y)
    this.#draw()
  }

  #zoom(factor: number, x = this.#size[0] / 2, y = this.#size[1] / 2): void {
    this.#isViewChanged = true
    this.#camera.zoom(factor, x, y)
    this.#draw()
  }

  #showAll(): void {
    this.#isViewChanged = false
    this.#draw()
  }

  #hover(point: Point | undefined): void {
    if (point === this.#hovered) return
    this.#hovered = point
    this.#canvas.style.cursor = point === undefined ? 'grab' : 'pointer'
    this.#tip.hidden = point === undefined
    this.#tip.textContent = point === undefined ? '' : `${point.outcome}  ${point.url}`
    this.#draw()
  }

  #choose(point: Point | undefined): void {
    this.#chosen = point
    this.#details.replaceChildren(...createDetails(point, (other) => this.#reveal(other)))
    this.#details.scrollTop = 0
    this.#draw()
  }

  /** Chooses a page that may be out of sight. */
  #reveal(point: Point): void {
    this.#isViewChanged = true
    this.#camera.scale = Math.max(CLOSE, this.#camera.scale)
    this.#camera.center(point, ...this.#size)
    this.#choose(point)
  }

  /** @returns number of pages whose URL or outcome contains all words; undefined without words */
  #search(words: readonly string[]): number | undefined {
    const has = ({ text }: Point) => words.every((word) => text.includes(word))
    this.#hits = words.length === 0 ? undefined : new Set(this.#points.filter(has))
    this.#draw()
    return this.#hits?.size
  }

  /** Chooses the next search hit. */
  #chooseHit(): void {
    const hits = [...(this.#hits ?? [])]
    const last = this.#chosen === undefined ? -1 : hits.indexOf(this.#chosen)
    const next = hits[(last + 1) % hits.length]
    if (next !== undefined) this.#reveal(next)
  }
}
