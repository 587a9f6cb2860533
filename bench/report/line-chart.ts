export interface Line {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

const [LEFT, TOP, WIDTH, HEIGHT, RIGHT, BOTTOM] = [60, 36, 480, 260, 110, 34]
const COLOURS = ['#c63', '#37a', '#595', '#96a', '#a83', '#666']
const TICKS = 4
const STYLE = `text{font:13px sans-serif;fill:#444}.title{font-weight:bold}.axis{stroke:#999;fill:none}
@media(prefers-color-scheme:dark){text{fill:#ccc}}`

/** Draws lines over a common pair of axes that begin at 0, as SVG. */
export function lineChart(caption: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points)
  const [mostX, mostY] = [points.map(({ x }) => x), points.map(({ y }) => y)].map((all) => {
    return Math.max(...all)
  })
  const xAt = (x: number) => LEFT + (x / (mostX ?? 1)) * WIDTH
  const yAt = (y: number) => TOP + HEIGHT - (y / (mostY ?? 1)) * HEIGHT
  const drawn = lines.map(({ name, points: own }, place) => {
    const colour = COLOURS[place % COLOURS.length]
    const path = own.map(({ x, y }) => `${xAt(x).toFixed(1)} ${yAt(y).toFixed(1)}`).join('L')
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${LEFT + WIDTH + 8}" y="${labelAt(place, own.at(-1)?.y ?? 0)}" fill="${colour}">${name}</text>`
  })
  /** Returns the position of a label. Labels don't overlap: each has a row of its own, in the order of the ends. */
  function labelAt(place: number, end: number): string {
    const rank = lines.filter(({ points: other }, at) => {
      const otherEnd = other.at(-1)?.y ?? 0
      return otherEnd < end || (otherEnd === end && at < place)
    }).length
    return Math.min(yAt(end) + 4, TOP + HEIGHT - rank * 15).toFixed(1)
  }
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const [x, y] = [((mostX ?? 0) * tick) / TICKS, ((mostY ?? 0) * tick) / TICKS]
    return `<text x="${LEFT - 6}" y="${(yAt(y) + 4).toFixed(1)}" text-anchor="end">${Math.round(y)}</text>
<text x="${xAt(x).toFixed(1)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${x}</text>`
  })
  const [width, height] = [LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${caption}">
<title>${caption}</title>
<style>${STYLE}</style>
<text class="title" x="8" y="20">${caption}</text>
<path class="axis" d="M${LEFT} ${TOP}V${TOP + HEIGHT}H${LEFT + WIDTH}"/>
${[...ticks, ...drawn].join('\n')}
</svg>
`
}
