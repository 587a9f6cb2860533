import { shownText } from '../../printable-text.ts'
import { statusName } from '../../records/status-name.ts'
import { type Bar, bars, columns, type Timeline } from './charts.ts'
import type { Count } from './findings.ts'
import { html, type Markup } from './markup.ts'
import { shownTime } from './numbers.ts'

/** Data of the charts. */
export interface Charts {
  /** Number of all visits. */
  readonly visits: number
  readonly timeline: Timeline | undefined
  readonly outcomes: readonly Count[]
  readonly depths: readonly Count[]
  readonly types: readonly Count[]
  readonly times: readonly { readonly below: number; readonly count: number }[]
}

/** Maximum number of bars in a chart; the last one sums up the rest. */
const MOST_BARS = 12

export function charts({ visits, timeline, outcomes, depths, types, times }: Charts): Markup {
  const throughput = timeline === undefined ? [] : [panel('Throughput', columns(timeline))]
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
    label: shownText(String(label ?? absent), 60),
    count,
  }))
}

function panel(title: string, content: Markup): Markup {
  return html`<section class="panel"><h2>${title}</h2>${content}</section>`
}

function barsPanel(title: string, rows: readonly Bar[], visits: number): Markup {
  if (rows.length === 0) return html``
  if (rows.length <= MOST_BARS) return panel(title, bars(rows))
  const shown = rows.slice(0, MOST_BARS - 1)
  const count = visits - shown.reduce((sum, row) => sum + row.count, 0)
  return panel(title, bars([...shown, { label: 'others', count }]))
}

function withoutEmptyEnds(rows: readonly Bar[]): readonly Bar[] {
  const isTaken = ({ count }: Bar) => count > 0
  return rows.slice(Math.max(0, rows.findIndex(isTaken)), rows.findLastIndex(isTaken) + 1)
}

function outcomeBar({ label, count, broken }: Count): Bar {
  const reason = typeof label === 'number' ? statusName(label) : undefined
  const text = shownText(String(label ?? 'no answer'), 60)
  const isMoved = typeof label === 'number' && label >= 300 && label < 400 && label !== 304
  const tone = broken > 0 ? 'broken' : isMoved ? 'moved' : 'fine'
  return { label: reason === undefined ? text : `${text} ${reason}`, count, tone }
}

function timeBar(
  { below, count }: Charts['times'][number],
  place: number,
  all: Charts['times'],
): Bar {
  const from = all[place - 1]?.below
  if (from === undefined) return { label: `under ${shownTime(below)}`, count }
  const label =
    below === Number.POSITIVE_INFINITY
      ? `${shownTime(from)} and more`
      : `${shownTime(from)} – ${shownTime(below)}`
  return { label, count }
}
