/**
 * Measures the cost of a page until its new links are known: with the scanner in TypeScript and the link filter, and
 * with the scanner in WebAssembly. In each round, each of the two reads the same pages in a process of its own, once
 * cold and several times warm. `least` adds up the shortest time of each page, on which other processes have little
 * influence. The other figures are CPU time of all threads of the process.
 *
 *   npm run build && node bench/page-scanner.ts <folder of .html files> [pages] [rounds]
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LinkFilter } from '../src/fetch-worker/links/link-filter.ts'
import { LinkRules } from '../src/fetch-worker/links/link-rules.ts'
import { TextCountTable } from '../src/html/boilerplate/text-count-table.ts'
import { scanPage } from '../src/html/reference-scanner/scan-page.ts'
import { TextSamples } from '../src/html/reference-scanner/text-samples.ts'
import { TARGET_FLAG } from '../src/html/wasm-scanner/layout/codes.ts'
import { MAX_BODY } from '../src/html/wasm-scanner/layout/limits.ts'
import { PageScanner } from '../src/html/wasm-scanner/page-scanner.ts'
import { Scope } from '../src/url/scope.ts'
import { cpuSince } from './measure/cpu-time.ts'
import { median } from './measure/statistics.ts'
import { table } from './report/readme.ts'

const PASSES = 12
const SITE = 'http://127.0.0.1:8080/'
const SCOPE = { scope: 'host', seeds: [SITE], include: [], exclude: [] } as const
const AGENTS = ['orbweaver']

interface Page {
  readonly url: string
  readonly body: Buffer
}

/** Microseconds per page. */
interface Cost {
  readonly cold: number
  readonly warm: number
  readonly least: number
}

const ARMS = { reference: referenceArm, module: moduleArm }
type ArmName = keyof typeof ARMS

const [folder = '', count = '2000', rounds = '5', arm] = process.argv.slice(2)
if (arm === 'reference' || arm === 'module') console.log(JSON.stringify(costOf(ARMS[arm]())))
else compare()

function compare(): void {
  const runs = Array.from({ length: Number(rounds) }, () => ({
    reference: inOwnProcess('reference'),
    module: inOwnProcess('module'),
  }))
  const rows = (['cold', 'warm', 'least'] as const).map((kind) => {
    const [reference, module] = (['reference', 'module'] as const).map((name) =>
      median(runs.map((run) => run[name][kind])),
    )
    const ratio = median(runs.map((run) => run.reference[kind] / run.module[kind]))
    return [kind, shown(reference), shown(module), ratio.toFixed(2)]
  })
  console.log(table(['µs per page', 'TypeScript', 'WebAssembly', 'ratio'], rows))
}

function inOwnProcess(name: ArmName): Cost {
  const command = [fileURLToPath(import.meta.url), folder, count, rounds, name]
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }))
}

function shown(us = Number.NaN): string {
  return us.toFixed(1)
}

function costOf(read: (page: Page) => void): Cost {
  const pages = loadPages()
  const least = new Float64Array(pages.length).fill(Number.POSITIVE_INFINITY)
  const passes = Array.from({ length: PASSES }, () => passOver(pages, read, least))
  const [cold = Number.NaN, ...warm] = passes
  const sum = least.reduce((total, us) => total + us, 0)
  return { cold, warm: median(warm), least: sum / pages.length }
}

/** Returns the microseconds of CPU time per page of one pass. */
function passOver(pages: readonly Page[], read: (page: Page) => void, least: Float64Array): number {
  const before = process.cpuUsage()
  for (const [index, page] of pages.entries()) {
    const started = process.hrtime.bigint()
    read(page)
    const us = Number(process.hrtime.bigint() - started) / 1_000
    least[index] = Math.min(least[index] ?? us, us)
  }
  return cpuSince(before) / pages.length
}

/** Loads an even selection of the folder's pages, with URLs as if the folder were a site. */
function loadPages(): Page[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const html = names.filter((name) => /\.html?$/.test(name)).sort()
  const step = Math.max(1, html.length / Number(count))
  const chosen = html.filter((_, index) => Math.floor(index % step) === 0)
  return chosen.flatMap((name) => {
    const body = readFileSync(join(folder, name))
    return body.length > MAX_BODY ? [] : [{ url: SITE + encodeURI(name), body }]
  })
}

function referenceArm(): (page: Page) => void {
  const rules = {
    scope: SCOPE,
    widened: [],
    canonicalize: [],
    stripQuery: false,
    ignoreRobots: false,
    external: false,
    externalAssets: false,
    sitemaps: false,
  }
  const filter = new LinkFilter(new LinkRules(rules))
  const samples = new TextSamples()
  const known = new Set<string>()
  const options = { maxLinks: 100_000, agents: AGENTS, samples }
  const standing = { depth: 1, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 }
  return ({ url, body }) => {
    const { page, charset } = scanPage(body, undefined, options)
    const from = { id: 1, url, ...standing, hop: 'link', keepLinks: false } as const
    const { urls } = filter.filter(
      page.outlinks,
      from,
      { baseHref: page.base, encoding: charset },
      2,
    )
    for (const each of urls.filter((link) => !known.has(link))) known.add(each)
  }
}

function moduleArm(): (page: Page) => void {
  const textCounts = new TextCountTable(TextCountTable.allocate())
  const scanner = PageScanner.open({ agents: AGENTS, textCounts })
  const scope = new Scope(SCOPE)
  const known = new Set<string>()
  const { links } = scanner
  const verdictOf = (url: string) => ({ reason: scope.whyNot(url) })
  return ({ url, body }) => {
    scanner.body(body.length)?.set(body)
    const scan = scanner.scan(body.length)
    const report = scan && links.report(scan, { url, depth: 2, heedsNofollow: true }, verdictOf)
    for (const target of report?.links ?? []) {
      known.add(links.targets.urlOf(target))
      links.targets.mark(target, TARGET_FLAG.known)
    }
    for (const { target } of report?.skips ?? [])
      links.targets.mark(target, TARGET_FLAG.skipReported)
  }
}
