/** Handlers of user input; positions are CSS pixels of the canvas. */
export interface GestureHandlers {
  move(x: number, y: number): void
  zoom(factor: number, x: number, y: number): void
  hover(x: number, y: number): void
  leave(): void
  choose(x: number, y: number): void
  /** Clears the choice. */
  release(): void
}

/** Pixels that a pointer may move during a click. */
const STILL = 5
const WHEEL = 0.0016
/** Pixels per press of an arrow key. */
const STRIDE = 60
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ...{ ArrowLeft: [STRIDE, 0], ArrowRight: [-STRIDE, 0] },
  ...{ ArrowUp: [0, STRIDE], ArrowDown: [0, -STRIDE] },
}
const ZOOMS: Readonly<Record<string, number>> = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 }

/**
 * Handles mouse, pen and touch: one pointer drags, two zoom. Until the graph has been clicked, the
 * wheel scrolls the page.
 */
export function listen(canvas: HTMLCanvasElement, handlers: GestureHandlers): void {
  const down = new Map<number, readonly [x: number, y: number]>()
  let distance = 0
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    if (down.size === 0) distance = 0
    down.set(event.pointerId, [event.offsetX, event.offsetY])
  })
  canvas.addEventListener('pointermove', ({ pointerId, offsetX: x, offsetY: y }) => {
    const before = down.get(pointerId)
    if (before === undefined) {
      handlers.hover(x, y)
      return
    }
    const other = [...down].find(([id]) => id !== pointerId)?.[1]
    distance += Math.hypot(x - before[0], y - before[1])
    down.set(pointerId, [x, y])
    if (other !== undefined) {
      const spread = ([px, py]: readonly [number, number]) =>
        Math.hypot(px - other[0], py - other[1])
      handlers.zoom(spread([x, y]) / (spread(before) || 1), (x + other[0]) / 2, (y + other[1]) / 2)
    } else if (distance > STILL) handlers.move(x - before[0], y - before[1])
  })
  canvas.addEventListener('pointerup', ({ pointerId, offsetX, offsetY }) => {
    if (down.delete(pointerId) && down.size === 0 && distance <= STILL)
      handlers.choose(offsetX, offsetY)
  })
  canvas.addEventListener('pointercancel', ({ pointerId }) => down.delete(pointerId))
  canvas.addEventListener('pointerleave', () => handlers.leave())
  listenToWheel(canvas, handlers)
  listenToKeys(canvas, handlers)
}

function listenToWheel(canvas: HTMLCanvasElement, handlers: GestureHandlers): void {
  canvas.addEventListener(
    'wheel',
    (event) => {
      const { ctrlKey, metaKey, deltaY, deltaMode, offsetX, offsetY } = event
      if (!(ctrlKey || metaKey || document.activeElement === canvas)) return
      event.preventDefault()
      const pixels = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * 33
      handlers.zoom(Math.exp(-pixels * WHEEL * (ctrlKey ? 4 : 1)), offsetX, offsetY)
    },
    { passive: false },
  )
}

function listenToKeys(canvas: HTMLCanvasElement, handlers: GestureHandlers): void {
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [arrow, zoom] = [ARROWS[event.key], ZOOMS[event.key]]
    if (arrow !== undefined) handlers.move(...arrow)
    else if (zoom !== undefined)
      handlers.zoom(zoom, canvas.clientWidth / 2, canvas.clientHeight / 2)
    else if (event.key === 'Escape') handlers.release()
    else return
    event.preventDefault()
  })
}
