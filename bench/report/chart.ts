import type { Spread } from '../measure/statistics.ts'

interface Bar extends Spread {
  readonly label: string
}

export interface BarGroup {
  readonly title: string
  readonly bars: readonly Bar[]
}

const LABEL_WIDTH = 170
const BAR_WIDTH = 420
const VALUE_WIDTH = 110
const ROW = 22
const TITLE = 34
const STYLE = `text{font:13px sans-serif;fill:#444}.title{font-weight:bold}.bar{fill:#9ab}
.first{fill:#c63}.range{stroke:#555}@media(prefers-color-scheme:dark){text{fill:#ccc}.range{stroke:#bbb}}`

/** Draws horizontal bars of medians, with lines from minimum to maximum, as SVG. Each group has its own scale. */
export function barChart(caption: string, groups: readonly BarGroup[]): string {
  let top = TITLE
  const parts = groups.map((group) => {
    const part = groupAt(group, top)
    top += TITLE + group.bars.length * ROW
    return part
  })
  const width = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" role="img" aria-label="${escaped(caption)}">
<title>${escaped(caption)}</title>
<style>${STYLE}</style>
<text class="title" x="8" y="20">${escaped(caption)}</text>
${parts.join('\n')}
</svg>
`
}

function groupAt({ title, bars }: BarGroup, top: number): string {
  const scale = BAR_WIDTH / Math.max(...bars.map((bar) => bar.most))
  const rows = bars.map((bar, place) => barAt(bar, top + TITLE + place * ROW, scale, place === 0))
  return [`<text class="title" x="8" y="${top + 22}">${escaped(title)}</text>`, ...rows].join('\n')
}

function barAt(bar: Bar, top: number, scale: number, isFirst: boolean): string {
  const at = (value: number) => (LABEL_WIDTH + value * scale).toFixed(1)
  const middle = top + 8
  const range = `M${at(bar.least)} ${middle}H${at(bar.most)}`
  const width = (bar.median * scale).toFixed(1)
  const value = Math.round(bar.median).toLocaleString('en')
  const valueAt = LABEL_WIDTH + bar.most * scale + 6
  return `<text x="${LABEL_WIDTH - 8}" y="${top + 13}" text-anchor="end">${escaped(bar.label)}</text>
<rect class="${isFirst ? 'first' : 'bar'}" x="${LABEL_WIDTH}" y="${top}" width="${width}" height="16"/>
<path class="range" d="${range}"/>
<text x="${valueAt.toFixed(1)}" y="${top + 13}">${value}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
