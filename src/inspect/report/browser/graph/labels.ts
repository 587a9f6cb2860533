import type { Camera } from './camera.ts'
import type { Point } from './nodes.ts'

/** Maximum number of labels, and of pages that are tried for them. */
const MAX_LABELS = 18
const MAX_TRIED = 300
const MAX_CHARACTERS = 24
const HEIGHT = 15
/** Characters at the end of a path that are searched for a name. The search takes quadratic time. */
const LOOKED_AT = 120

interface Sheet {
  readonly camera: Camera
  readonly width: number
  readonly height: number
  /** The page that gets its label before all others. */
  readonly first: Point | undefined
  readonly ink: string
  readonly paper: string
}

/** Labels pages, first those that led to most others. Skips a label that would overlap another one. */
export function drawLabels(
  brush: CanvasRenderingContext2D,
  points: readonly Point[],
  { camera, width, height, first, ink, paper }: Sheet,
): void {
  const isSeen = (point: Point) => {
    const [x, y] = camera.placeOf(point)
    return x > 0 && x < width && y > 0 && y < height
  }
  const sorted = points.filter(isSeen).sort((a, b) => rankOf(b) - rankOf(a))
  const tried = first === undefined ? sorted : [first, ...sorted.filter((each) => each !== first)]
  const taken: (readonly [left: number, top: number, right: number])[] = []
  brush.font = '12px system-ui, sans-serif'
  Object.assign(brush, { fillStyle: ink, strokeStyle: paper, lineWidth: 3, lineJoin: 'round' })
  for (const point of tried.slice(0, MAX_TRIED)) {
    const [x, y] = camera.placeOf(point)
    const name = nameOf(point)
    const left = x + camera.radiusOf(point) + 4
    const right = left + brush.measureText(name).width
    const isFree = taken.every(([l, t, r]) => right < l || left > r || Math.abs(t - y) > HEIGHT)
    if (!isFree) continue
    taken.push([left, y, right])
    brush.strokeText(name, left, y + 4)
    brush.fillText(name, left, y + 4)
    if (taken.length === MAX_LABELS) return
  }
}

function rankOf({ found, from }: Point): number {
  return found.length * 1_000 + from.length
}

/** Returns the end of a page's path; with the folder if the file name is `index` with any extension. */
function nameOf({ url }: Point): string {
  const [, host = '', path = ''] = /^\w+:\/\/([^/]*)(.*)$/s.exec(url) ?? []
  const end = /(?:[^/]+\/)?index\.\w+$|[^/]+\/?$/.exec(path.slice(-LOOKED_AT))?.[0] ?? (host || url)
  return end.length > MAX_CHARACTERS ? `${end.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : end
}
