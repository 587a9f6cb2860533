import { html, type Markup } from './markup.ts'
import { formatDuration } from './number-format.ts'

/** A line of a chart. */
export interface ChartLine {
  readonly name: string
  readonly tone: 'plain' | 'moved'
  /** One value for each time. */
  readonly values: readonly number[]
}

const [WIDTH, HEIGHT] = [1_000, 100]

/**
 * Draws lines over the time of a crawl, starting from zero; the area below the first one is filled.
 * Hovering over a moment shows its values.
 * @param times milliseconds since the crawl began, ascending
 * @param format formats a value
 */
export function lineChart(
  label: string,
  times: readonly number[],
  lines: readonly ChartLine[],
  format: (value: number) => string,
): Markup {
  const end = times.at(-1) ?? 0
  const most = Math.max(...lines.flatMap(({ values }) => values))
  const x = (time: number) => ((time / (end || 1)) * WIDTH).toFixed(1)
  const y = (value: number) => (HEIGHT - (value / (most || 1)) * HEIGHT).toFixed(2)
  const paths = lines.map(({ tone, values }, place) => {
    const points = values.map((value, at) => `${x(times[at] ?? 0)},${y(value)}`).join(' ')
    const [left, right] = [x(times[0] ?? 0), x(end)]
    const area = `${left},${HEIGHT} ${points} ${right},${HEIGHT}`
    const filled = place === 0 ? [html`<polygon class="area" points="${area}"/>`] : []
    return html`${filled}<polyline class="line ${tone}" points="${points}"/>`
  })
  const moments = times.map((time, at) => {
    const texts = lines.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`)
    const [from, to] = [((times[at - 1] ?? time) + time) / 2, ((times[at + 1] ?? time) + time) / 2]
    const width = (((to - from) / (end || 1)) * WIDTH).toFixed(1)
    return html`<g><title>after ${formatDuration(time)}: ${texts.join(', ')}</title><rect class="reach" x="${x(from)}" width="${width}" height="${HEIGHT}"/></g>
`
  })
  const key = lines.map(({ name, tone }) => html`<i class="${tone}"></i>${name}`)
  return html`<figure class="timeline lines">
<p class="scale">${format(most)}</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label} over time">
${moments}${paths}</svg>
<figcaption><span>0 s</span><span class="key">${lines.length > 1 ? key : []}</span><span>${formatDuration(end)}</span></figcaption>
</figure>`
}
