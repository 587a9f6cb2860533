import { countOf, formatCount } from '../../english-text.ts'
import type { LogSample } from '../read-log.ts'
import { type ChartLine, lineChart } from './line-chart.ts'
import { html, type Markup } from './markup.ts'
import { formatBytes, formatProbability } from './number-format.ts'

/** Creates the charts of queue, memory and seen set over time. */
export function logSection(samples: readonly LogSample[]): Markup {
  return html`<section id="log">
<h2>Over time</h2>
${samples.length > 1 ? chartsOf(samples) : html`<p class="note">The log has one sample only; a shorter --log-interval adds more.</p>`}
</section>
`
}

function chartsOf(samples: readonly LogSample[]): Markup {
  const times = samples.map(({ elapsedMs }) => elapsedMs)
  const line = (name: string, amountOf: (sample: LogSample, at: number) => number): ChartLine => ({
    ...{ name, tone: 'plain', values: samples.map(amountOf) },
  })
  const panel = (title: string, lines: readonly ChartLine[], shown: (value: number) => string) =>
    html`<section class="panel"><h2>${title}</h2>${lineChart(title, times, lines, shown)}</section>
`
  const pace = line('pages', ({ visits, elapsedMs }, at) => {
    const before = samples[at - 1]
    return ((visits - (before?.visits ?? 0)) * 1_000) / (elapsedMs - (before?.elapsedMs ?? 0) || 1)
  })
  const seen = line('seen set', ({ seenBytes }) => seenBytes)
  const rates = line('rate', ({ falsePositiveRate }) => falsePositiveRate)
  const isExact = rates.values.every((rate) => rate === 0)
  return html`<p class="note">From the log of the crawl${isExact ? '; the false-positive rate of its seen set was 0' : ''}.</p>
<div class="panels">
${panel('Pages per second', [pace], (value) => `${value >= 10 ? formatCount(Math.round(value)) : value.toFixed(1)}/s`)}
${panel('Queue', [line('waiting', ({ queued }) => queued)], (value) => countOf(value, 'URL'))}
${panel('Memory', [line('process', ({ rss }) => rss), { ...seen, tone: 'moved' }], formatBytes)}
${isExact ? [] : panel('False-positive rate of the seen set', [rates], formatProbability)}
</div>`
}
