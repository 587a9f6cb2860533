/**
 * Crawls the same sites in turns with orbweaver, with other crawlers, and with plain undici, which only fetches. Writes
 * the figures to bench/README.md and bench/comparison.svg.
 *
 *   npm run bench -- [--quick] [--rounds 5] [--sites generated,jdk,generated-tls,generated-50ms] [--crawlers orbweaver,wget2]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareOn } from './compare-on.ts'
import type { Crawler } from './crawlers/crawler.ts'
import { crawlers as all } from './crawlers/registry.ts'
import { type BarGroup, barChart } from './report/chart.ts'
import { comparison, figuresBySite } from './report/comparison.ts'
import { circumstances, loadNow } from './report/machine.ts'
import { writeSection } from './report/readme.ts'
import type { SiteResults } from './report/results.ts'
import { installedSites } from './sites/debian-sites.ts'
import { generateSite } from './sites/generated-site.ts'
import { serveSites } from './sites/nginx.ts'
import type { SiteFiles } from './sites/site.ts'

const QUICK = { rounds: 3, pages: 1_000, sites: ['generated'] }
const LARGE = { name: 'generated-100k', pages: 100_000 }
const FULL = { rounds: 7, pages: 10_000, sites: undefined }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    sites: { type: 'string' },
    crawlers: { type: 'string' },
  },
})
const size = values.quick ? QUICK : FULL
const rounds = Number(values.rounds ?? size.rounds)
const siteNames = values.sites?.split(',') ?? size.sites
const names = values.crawlers?.split(',')

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = here('../tmp/bench')
mkdirSync(folder, { recursive: true })
installPeers()

// Ends nginx and the running crawler, too, by their exit handlers.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
const load = loadNow()
const crawlers = all.filter((crawler) => names?.includes(crawler.name) ?? true).filter(isInstalled)
const generated = generateSite(folder, size.pages)
const files: readonly SiteFiles[] = [
  ...[generated, ...installedSites()],
  { ...generated, name: 'generated-tls', access: 'tls', hasSection: true },
  { ...generated, name: 'generated-50ms', access: 'slow', hasSection: true },
  ...largeSites(),
]
const wanted = files.filter((site) => siteNames?.includes(site.name) ?? true)
const host = await serveSites(folder, wanted)
try {
  const results: SiteResults[] = []
  for (const site of host.sites) {
    results.push(await compareOn(site, { host, folder, rounds, crawlers }))
  }
  report(results)
} finally {
  await host.close()
}

/** Returns the site of 3.5 GB, if it is wanted. */
function largeSites(): readonly SiteFiles[] {
  if (siteNames?.includes(LARGE.name) !== true) return []
  return [{ ...generateSite(folder, LARGE.pages), name: LARGE.name, hasSection: true }]
}

function installPeers(): void {
  if (existsSync(here('node_modules'))) return
  console.error('The other crawlers from npm: npm install --prefix bench')
  // Not `npm ci`, which refuses a lock file without the binaries of spider-rs for all other platforms.
  execFileSync('npm', ['install', '--no-save', '--prefix', here('.')], { stdio: 'inherit' })
}

function isInstalled(crawler: Crawler): boolean {
  if (crawler.version() !== undefined) return true
  console.error(`Not installed: ${crawler.name}: ${crawler.install}`)
  return false
}

/** Writes the figures, those of some sites into sections of their own. */
function report(results: readonly SiteResults[]): void {
  const command = ['npm run bench', process.argv.slice(2).join(' ')].filter(Boolean).join(' -- ')
  const head = `${circumstances(command, load)} Medians of ${rounds} rounds.`
  for (const each of results.filter(({ site }) => site.hasSection)) {
    writeSection(each.site.name, `${head}\n\n${comparison([each])}`)
  }
  const plain = results.filter(({ site }) => !site.hasSection)
  if (plain.length > 0) reportPlain(plain, head)
}

function reportPlain(results: readonly SiteResults[], head: string): void {
  const chart = '![Pages per second, by crawler and site](comparison.svg)'
  writeSection('comparison', [head, chart, comparison(results)].join('\n\n'))
  const groups = results.map(barsOf)
  writeFileSync(
    here('comparison.svg'),
    barChart('Pages per second: median, least and most', groups),
  )
}

function barsOf(results: SiteResults): BarGroup {
  const bars = [...figuresBySite(results)].map(([{ name }, { pagesPerSecond }]) => ({
    label: name,
    ...pagesPerSecond,
  }))
  return { title: results.site.name, bars }
}
