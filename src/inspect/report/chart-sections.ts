import { printableText } from '../../printable-text.ts'
import { statusName } from '../../records/status-name.ts'
import { type Bar, barChart, columnChart, type Timeline } from './charts.ts'
import { html, type Markup } from './markup.ts'
import { formatDuration } from './number-format.ts'
import { toneOf } from './tone.ts'
import type { Count } from './visit-statistics.ts'

/** Data of the charts. */
export interface ChartData {
  /** Number of all visits. */
  readonly visits: number
  readonly timeline: Timeline | undefined
  readonly outcomes: readonly Count[]
  readonly depths: readonly Count[]
  readonly types: readonly Count[]
  readonly times: readonly { readonly below: number; readonly count: number }[]
}

/** Maximum number of bars in a chart; the last one sums up the rest. */
const MAX_BARS = 12

export function chartSections({
  visits,
  timeline,
  outcomes,
  depths,
  types,
  times,
}: ChartData): Markup {
  const throughput = timeline === undefined ? [] : [panel('Throughput', columnChart(timeline))]
  return html`${throughput}
<div class="panels">
${barsPanel('Outcome', outcomes.map(outcomeBar), visits)}
${barsPanel('Response time', withoutEmptyEnds(times.map(timeBar)), visits)}
${barsPanel('Content type', barsOf(types, 'none'), visits)}
${barsPanel('Links from a seed', barsOf(depths, 'unknown'), visits)}
</div>`
}

/** Returns no bars if no visit has a value, or all have depth 0: there is nothing to compare. */
function barsOf(counts: readonly Count[], absent: string): Bar[] {
  if (counts.length === 1 && !counts[0]?.label) return []
  return counts.map(({ label, count }) => ({
    label: printableText(String(label ?? absent), 60),
    count,
  }))
}

function panel(title: string, content: Markup): Markup {
  return html`<section class="panel"><h2>${title}</h2>${content}</section>`
}

function barsPanel(title: string, rows: readonly Bar[], visits: number): Markup {
  if (rows.length === 0) return html``
  if (rows.length <= MAX_BARS) return panel(title, barChart(rows))
  const shown = rows.slice(0, MAX_BARS - 1)
  const count = visits - shown.reduce((sum, row) => sum + row.count, 0)
  return panel(title, barChart([...shown, { label: 'others', count }]))
}

function withoutEmptyEnds(rows: readonly Bar[]): readonly Bar[] {
  const isTaken = ({ count }: Bar) => count > 0
  return rows.slice(Math.max(0, rows.findIndex(isTaken)), rows.findLastIndex(isTaken) + 1)
}

function outcomeBar({ label, count }: Count): Bar {
  const reason = typeof label === 'number' ? statusName(label) : undefined
  const text = printableText(String(label ?? 'no response'), 60)
  const tone = label === null ? 'fine' : toneOf(label)
  return { label: reason === undefined ? text : `${text} ${reason}`, count, tone }
}

function timeBar(
  { below, count }: ChartData['times'][number],
  place: number,
  all: ChartData['times'],
): Bar {
  const from = all[place - 1]?.below
  if (from === undefined) return { label: `under ${formatDuration(below)}`, count }
  const label =
    below === Number.POSITIVE_INFINITY
      ? `${formatDuration(from)} and more`
      : `${formatDuration(from)} – ${formatDuration(below)}`
  return { label, count }
}
