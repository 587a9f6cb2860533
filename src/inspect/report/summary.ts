import { rate, shownMoment } from './charts.ts'
import type { Overview } from './findings.ts'
import { html, type Markup } from './markup.ts'
import { shownBytes, shownCount, shownShare, shownTime } from './numbers.ts'

/** Creates the header of the page with the overall numbers. */
export function summary(name: string, overview: Overview): Markup {
  const { visits, fine, redirects, broken, hosts, bytes, depth, from, to } = overview
  const duration = from === null || to === null ? undefined : to - from
  const share = (part: number) => (visits === 0 ? '' : shownShare(part, visits))
  const tiles = [
    tile('Visits', shownCount(visits), pace(visits, duration)),
    tile('Answered well', shownCount(fine), share(fine), 'fine'),
    tile('Redirects', shownCount(redirects), share(redirects), 'moved'),
    tile('Broken', shownCount(broken), share(broken), broken > 0 ? 'broken' : ''),
    tile('Hosts', shownCount(hosts), deepness(depth)),
    tile('Data', shownBytes(bytes), bytes === 0 ? '' : `${shownBytes(bytes / visits)} each`),
    ...medianTile(overview),
  ]
  const when = from === null ? '' : shownMoment(from)
  const span = duration === undefined ? '' : `, ${shownTime(duration)}`
  return html`<header>
<h1>Crawl report</h1>
<p class="note">${name} <span class="when">${when}${span}</span></p>
<dl class="tiles">
${tiles}</dl>
</header>`
}

function medianTile({ median, p90, p99 }: Overview): Markup[] {
  if (median === null || p90 === null || p99 === null) return []
  const others = `p90 ${shownTime(p90)}, p99 ${shownTime(p99)}`
  return [tile('Median time', shownTime(median), others)]
}

function deepness(depth: number | null): string {
  return depth === null ? '' : `${shownCount(depth)} ${depth === 1 ? 'link' : 'links'} deep`
}

function pace(visits: number, duration = 0): string {
  const { value, unit } = rate(visits, duration)
  return duration < 1_000 ? '' : `${value} per ${unit}`
}

function tile(name: string, value: string, detail: string, tone = ''): Markup {
  return html`<div class="tile ${tone}"><dt>${name}</dt><dd>${value}</dd><dd class="detail">${detail}</dd></div>
`
}
