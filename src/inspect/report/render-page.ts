import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { formatCount } from '../../english-text.ts'
import { VERSION } from '../../version.ts'
import type { LogSample } from '../read-log.ts'
import { type ChartData, chartSections } from './chart-sections.ts'
import type { DataTable } from './embedded-rows.ts'
import { graphSection, type LabeledGraph } from './graph-section.ts'
import { logSection } from './log-section.ts'
import { dataElement, html, Markup, scriptElement } from './markup.ts'
import { pageHeader } from './page-header.ts'
import type { ReportTable } from './report-table.ts'
import { STYLE } from './style.ts'
import type { Overview } from './visit-statistics.ts'

/** Content of a report. */
export interface ReportContent extends ChartData {
  readonly file: string
  readonly overview: Overview
  readonly tables: readonly ReportTable[]
  readonly graph: LabeledGraph
  /** Samples from the log; undefined without one. */
  readonly samples: readonly LogSample[] | undefined
}

/** The script of the page, built from browser/. Code that runs from source uses the last build. */
const SCRIPT = import.meta.url.endsWith('.ts') ? '../../../dist/report-page.js' : './report-page.js'

const LOG_HINT = ' A report with --log shows queue, memory and false-positive rate over time, too.'

/** Renders a report as one page of HTML that makes no network requests. */
export function renderPage(content: ReportContent): string {
  const script = readFileSync(new URL(SCRIPT, import.meta.url), 'utf8').replaceAll('</', '<\\/')
  const tables = content.tables.filter(({ rows }) => rows.length > 0)
  const { links, pages } = content.graph
  const graph = links.length === 0 ? [] : [graphSection(content.graph, content.visits)]
  const time = content.samples === undefined ? [] : [{ id: 'log', title: 'Over time' }]
  const network = graph.map(() => ({ id: 'graph', title: 'Link graph' }))
  const name = basename(resolve(content.file))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${policyHash(STYLE)}'; script-src '${policyHash(script)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Crawl report: ${name}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${pageHeader(name, content.overview)}
${content.visits === 0 ? html`<p class="note">There are no visits.</p>` : navigation([...time, ...tables, ...network])}
${chartSections(content)}
${content.samples === undefined ? [] : logSection(content.samples)}
<noscript><p>The tables and the graph below need the script in this page.</p></noscript>
${tables.map(section)}
${graph}<footer>Made by orbweaver ${VERSION}. Times are in UTC.${content.samples === undefined ? LOG_HINT : ''}</footer>
</main>
${dataElement('data', tables.map(dataOf))}
${graph.map(() => dataElement('graph-data', { pages, links }))}
${scriptElement(script)}
</body>
</html>
`.text
}

/** Returns the hash of a text for a Content-Security-Policy (CSP Level 3, section 2.3.1). */
function policyHash(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`
}

function navigation(sections: readonly { readonly id: string; readonly title: string }[]): Markup {
  return html`<nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>`
}

function section({ id, title, note, rows, total }: ReportTable): Markup {
  const limit = total > rows.length ? ` These are the first ${formatCount(rows.length)}.` : ''
  return html`<section id="${id}">
<h2>${title} <span class="total">${formatCount(total)}</span></h2>
<p class="note">${note}${limit}</p>
<div id="table-${id}"></div>
</section>
`
}

function dataOf({ id, columns, rows }: ReportTable): DataTable {
  return { id, columns, rows }
}
