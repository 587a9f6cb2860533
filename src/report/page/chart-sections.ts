import { STATUS_CODES } from 'node:http'
import { shownText } from '../shown-text.ts'
import { type Bar, bars, columns, type Timeline } from './charts.ts'
import type { Count } from './findings.ts'
import { html, type Markup } from './markup.ts'
import { shownTime } from './numbers.ts'

/** What the charts tell. */
export interface Charts {
  readonly timeline: Timeline | undefined
  readonly outcomes: readonly Count[]
  readonly depths: readonly Count[]
  readonly types: readonly Count[]
  readonly times: readonly { readonly below: number; readonly count: number }[]
}

/** Bars of a chart; what is less frequent is added up in the last one. */
const MOST_BARS = 12

export function charts({ timeline, outcomes, depths, types, times }: Charts): Markup {
  const throughput = timeline === undefined ? [] : [panel('Throughput', columns(timeline), 'wide')]
  const byDepth = depths.toSorted((a, b) => Number(a.label) - Number(b.label))
  return html`<div class="panels">
${throughput}
${barsPanel('Outcome', outcomes.map(outcomeBar))}
${barsPanel('Response time', times.map(timeBar))}
${barsPanel(
  'Content type',
  types.map(({ label, count }) => ({ label: shownText(String(label ?? 'none'), 60), count })),
)}
${barsPanel(
  'Links from a seed',
  byDepth.map(({ label, count }) => ({ label: String(label ?? 'unknown'), count })),
)}
</div>`
}

function panel(title: string, content: Markup, className = ''): Markup {
  return html`<section class="panel ${className}"><h2>${title}</h2>${content}</section>`
}

function barsPanel(title: string, rows: readonly Bar[]): Markup {
  if (rows.every(({ count }) => count === 0)) return html``
  const last = rows.slice(MOST_BARS - 1)
  const count = last.reduce((sum, row) => sum + row.count, 0)
  const others = { label: `${last.length} others`, count }
  return panel(title, bars(last.length > 1 ? [...rows.slice(0, MOST_BARS - 1), others] : rows))
}

function outcomeBar({ label, count, broken }: Count): Bar {
  const reason = typeof label === 'number' ? STATUS_CODES[label] : undefined
  const text = shownText(String(label ?? 'no answer'), 60)
  const isMoved = typeof label === 'number' && label >= 300 && label < 400
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
