import { formatCount } from '../../english-text.ts'
import { html, type Markup } from './markup.ts'
import {
  formatDuration,
  formatMoment,
  formatShare,
  rateWithUnit,
  SHORT_UNITS,
} from './number-format.ts'
import type { Tone } from './tone.ts'
import type { Interval } from './visit-statistics.ts'

/** A bar of a chart. */
export interface Bar {
  readonly label: string
  readonly count: number
  readonly tone?: Tone
}

const HEIGHT = 100
/** Minimum width of a bar as a percentage of the longest one, so that no bar is invisible. */
const MIN_WIDTH_PERCENT = 1
/** Share of an interval's width that its column leaves free. */
const GAP_SHARE = 0.15

/**
 * Draws horizontal bars. Labels and values are text around the drawing, so they keep their size on
 * a phone.
 */
export function barChart(rows: readonly Bar[]): Markup {
  const most = Math.max(...rows.map(({ count }) => count))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  const lines = rows.map(({ label, count, tone = 'plain' }) => {
    const width = count === 0 ? 0 : Math.max(MIN_WIDTH_PERCENT, (count / most) * 100).toFixed(2)
    return html`<li><span class="label" title="${label}">${label}</span><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${tone}" width="${width}" height="1"/></svg><span class="count">${formatCount(count)}</span><span class="share">${formatShare(count, total)}</span></li>
`
  })
  return html`<ol class="bars">
${lines}</ol>`
}

/** Data of a chart over time. */
export interface Timeline {
  /** Start, in milliseconds since 1970. */
  readonly from: number
  /** Length of an interval in milliseconds. */
  readonly intervalMs: number
  readonly intervals: readonly Interval[]
}

/** Draws columns over time, broken visits in front. Hovering over one shows its numbers. */
export function columnChart({ from, intervalMs, intervals }: Timeline): Markup {
  const most = Math.max(...intervals.map(({ count }) => count))
  const pace = (count: number) => {
    const { value, unit } = rateWithUnit(count, intervalMs)
    return `${value} visits/${SHORT_UNITS[unit]}`
  }
  const shapes = intervals.map(({ count, broken }, at) => {
    const seconds = formatDuration(at * intervalMs)
    const title = `after ${seconds}: ${pace(count)}, ${formatCount(broken)} broken`
    return html`<g><title>${title}</title><rect class="reach" x="${at}" width="1" height="${HEIGHT}"/>${column('plain', at, count / most)}${column('broken', at, broken / most)}</g>
`
  })
  const [start, end] = [from, from + intervals.length * intervalMs].map(formatMoment)
  const endTime = end?.slice(0, 10) === start?.slice(0, 10) ? end?.slice(11) : end
  return html`<figure class="timeline">
<p class="scale">${pace(most)}</p>
<svg viewBox="0 0 ${intervals.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Visits over time">
${shapes}</svg>
<figcaption><span>${start ?? ''}</span><span class="key"><i class="plain"></i>all visits <i class="broken"></i>broken</span><span>${endTime ?? ''}</span></figcaption>
</figure>`
}

function column(tone: string, at: number, share: number): Markup {
  const height = (share * HEIGHT).toFixed(2)
  const top = (HEIGHT - share * HEIGHT).toFixed(2)
  return html`<rect class="${tone}" x="${at + GAP_SHARE / 2}" y="${top}" width="${1 - GAP_SHARE}" height="${height}"/>`
}
