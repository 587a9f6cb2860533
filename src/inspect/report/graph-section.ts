import { formatCount } from '../../english-text.ts'
import type { GraphData } from './embedded-graph.ts'
import { html, type Markup } from './markup.ts'

/** A link graph with information for readers. */
export interface LabeledGraph extends GraphData {
  /** True if the graph leaves out links between its pages. */
  readonly isCut: boolean
  /** True if all links of the crawl are known, not only the first link to each page. */
  readonly hasAllLinks: boolean
}

/**
 * Creates the section in which the page's script draws the graph.
 * @param visits number of all visits
 */
export function graphSection(
  { pages, links, isCut, hasAllLinks }: LabeledGraph,
  visits: number,
): Markup {
  const count = formatCount(pages.length)
  const choice =
    visits > pages.length
      ? `The ${count} visits nearest to the seeds, of ${formatCount(visits)}; of the outermost level those that led to most others.`
      : 'All visits.'
  const lines = hasAllLinks
    ? `Strong lines lead from each page to the pages that were first found on it; faint lines are ${isCut ? `other links, the first ${formatCount(links.length / 2)} in all` : 'all other links'}.`
    : 'Lines lead from each page to the pages that were first found on it. A report with --links shows all links.'
  return html`<section id="graph">
<h2>Link graph <span class="total">${count}</span></h2>
<p class="note">${choice} ${lines}</p>
<div id="graph-view"></div>
</section>
`
}
