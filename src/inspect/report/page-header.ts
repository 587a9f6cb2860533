import { countOf, formatCount } from '../../english-text.ts'
import { html, type Markup } from './markup.ts'
import {
  formatBytes,
  formatDuration,
  formatMoment,
  formatShare,
  rateWithUnit,
} from './number-format.ts'
import type { Overview } from './visit-statistics.ts'

/** Creates the header of the page with the overall numbers. */
export function pageHeader(name: string, overview: Overview): Markup {
  const { visits, fine, unchanged, redirects, broken, hosts, bytes, depth, from, to } = overview
  const duration = from === null || to === null ? undefined : to - from
  const share = (part: number) => (visits === 0 ? '' : formatShare(part, visits))
  const tiles = [
    tile('Visits', formatCount(visits), visitRate(visits, duration)),
    tile('OK (2xx)', formatCount(fine), share(fine), 'fine'),
    ...(unchanged === 0
      ? []
      : [tile('Unchanged (304)', formatCount(unchanged), share(unchanged), 'fine')]),
    tile('Redirects', formatCount(redirects), share(redirects), 'moved'),
    tile('Broken', formatCount(broken), share(broken), broken > 0 ? 'broken' : ''),
    tile('Hosts', formatCount(hosts), depthText(depth)),
    tile('Data', formatBytes(bytes), bytes === 0 ? '' : `${formatBytes(bytes / visits)} each`),
    ...medianTile(overview),
  ]
  const when = from === null ? '' : formatMoment(from)
  const span = duration === undefined ? '' : `, ${formatDuration(duration)}`
  return html`<header>
<h1>Crawl report</h1>
<p class="note">${name} <span class="when">${when}${span}</span></p>
<dl class="tiles">
${tiles}</dl>
</header>`
}

function medianTile({ median, p90, p99 }: Overview): Markup[] {
  if (median === null || p90 === null || p99 === null) return []
  const others = `p90 ${formatDuration(p90)}, p99 ${formatDuration(p99)}`
  return [tile('Median time', formatDuration(median), others)]
}

function depthText(depth: number | null): string {
  return depth === null ? '' : `${countOf(depth, 'link')} deep`
}

function visitRate(visits: number, duration = 0): string {
  if (duration < 1_000) return ''
  const { value, unit } = rateWithUnit(visits, duration)
  return `${value} per ${unit}`
}

function tile(name: string, value: string, detail: string, tone = ''): Markup {
  return html`<div class="tile ${tone}"><dt>${name}</dt><dd>${value}</dd><dd class="detail">${detail}</dd></div>
`
}
