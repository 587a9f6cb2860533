import type { Crawler } from '../crawlers/crawler.ts'
import type { Spread } from '../measure/statistics.ts'
import { table } from './readme.ts'
import { type Figures, figuresOf, type SiteResults } from './results.ts'

const HEAD = [
  'crawler',
  'wall s',
  'pages/s',
  'wall per page, ratio (min–max)',
  'CPU s per 1,000 pages',
  'CPU per page, ratio (min–max)',
  'peak RSS MiB',
  'pages found',
  'requests',
]

/** Returns the figures of all crawlers on all sites, and the settings of each crawler, as Markdown. */
export function comparison(results: readonly SiteResults[]): string {
  const crawlers = new Set(results.flatMap(({ samples }) => [...samples.keys()]))
  const settings = [...crawlers].map(
    (crawler) => `- ${crawler.name} ${crawler.version()}: ${crawler.settings}`,
  )
  return [...results.map(siteTable), 'How they were run:', settings.join('\n')].join('\n\n')
}

/** Returns the figures of the crawlers on a site, in their order. */
export function figuresBySite({ samples }: SiteResults): ReadonlyMap<Crawler, Figures> {
  const [first = []] = samples.values()
  return new Map([...samples].map(([crawler, own]) => [crawler, figuresOf(own, first)]))
}

function siteTable(results: SiteResults): string {
  const { site, pages, serverLimit } = results
  const rows = [...figuresBySite(results)].map(([{ name }, figures]) => row(name, figures, pages))
  const limit = `wrk fetches ${whole(serverLimit)} pages/s from the server`
  return `### ${site.name}\n\n${whole(pages)} pages; ${limit}.\n\n${table(HEAD, rows)}`
}

function row(name: string, figures: Figures, pages: number): string[] {
  return [
    name,
    (figures.wallMs / 1_000).toFixed(2),
    whole(figures.pagesPerSecond.median),
    ratio(figures.wallRatio),
    figures.cpuSecondsPer1000.toFixed(3),
    ratio(figures.cpuRatio),
    whole(figures.peakRss / 2 ** 20),
    `${((figures.pages / pages) * 100).toFixed(figures.pages === pages ? 0 : 2)} %`,
    whole(figures.requests),
  ]
}

function ratio({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
