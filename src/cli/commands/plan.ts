import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { ASSUMED } from '../../capacity/measured-costs.ts'
import { planScale, type ScalePlan } from '../../capacity/plan-scale.ts'
import { MAX_PER_HOST } from '../../config/settings/politeness-settings.ts'
import { DURATION_PATTERN, parseDuration, parseSize, SIZE_PATTERN } from '../../config/units.ts'
import { countOf, formatCount } from '../../english-text.ts'
import { CrawlerError } from '../../errors.ts'
import { MAX_PAGE_LINKS } from '../../html/link-limits.ts'
import { encodeJson } from '../../records/json-line.ts'
import {
  compareStrategies,
  type StrategyComparison,
  type StrategyPlan,
} from '../../seen/compare-strategies.ts'
import type { RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { parseNumber, unexpectedValue } from '../options/typed-values.ts'
import { formatSize } from '../terminal/number-format.ts'
import { printLines } from '../terminal/print.ts'
import { scaleLines } from '../terminal/scale-table.ts'
import { layOutTable } from '../terminal/text-table.ts'

const MAX_URLS = 1e15
const MIN_RATE = 1e-18
const MAX_HOSTS = 1e12
const MAX_MACHINES = 1e6
const MAX_CORES = 1_024
const HEADER = ['--seen', 'bits/URL', 'hashes', 'memory', 'disk', 'URLs lost']

interface PlanFlags {
  readonly urls: string
  readonly falsePositiveRate: string
  readonly json?: true
  readonly pages?: string
  readonly hosts?: string
  readonly delay: string
  readonly perHost: string
  readonly responseTime: string
  readonly pageSize: string
  readonly linksPerPage: string
  readonly cores: string
  readonly machines?: string
}

/** The flags that are valid only with `--pages`. */
const SCALE_FLAGS = [
  ...(['hosts', 'delay', 'perHost', 'responseTime', 'pageSize'] as const),
  ...(['linksPerPage', 'cores', 'machines'] as const),
]

/** Configures `crawl plan`. */
export function configurePlan(command: Command, run: RunAction): void {
  command
    .option('--urls <n>', 'URLs that the crawl will find; with --pages, 6.5 per page', '1e6')
    .option('--false-positive-rate <p>', 'share of new URLs that may be missed', '0.001')
    .option('--pages <n>', 'pages to crawl: plans machines, days, Redis and disk, too')
    .option('--hosts <n>', 'number of hosts that have these pages')
    .option('--delay <duration>', 'pause between two requests to a host', '0')
    .option('--per-host <n>', 'requests in flight per host; always 1 with --delay', '6')
    .option('--response-time <duration>', 'time that a server takes to respond', '200ms')
    .option('--page-size <size>', 'bytes of a page, as sent', '25kB')
    .option('--links-per-page <n>', 'links of a page', String(ASSUMED.linksPerPage))
    .option('--cores <n>', 'cores of each machine; by default those of this one')
    .option('--machines <n>', 'number of machines; by default several numbers are shown')
    .option('--json', 'print one JSON object')
    .action((flags: PlanFlags) => {
      return run(async (context) => {
        const scale = scaleFrom(flags, command)
        const urls = scale?.urls ?? urlsFrom(flags.urls)
        const plan = compareStrategies(urls, rateFrom(flags.falsePositiveRate))
        const lines = [...tableOf(plan), ...(scale === undefined ? [] : ['', ...scaleLines(scale)])]
        const json = encodeJson({ ...plan, ...(scale !== undefined && { scale }) })
        await printLines(flags.json ? [json] : lines, context)
        return EXIT_CODE.done
      })
    })
}

/** Returns the plan for the number of `--pages`; undefined without that flag. */
function scaleFrom(flags: PlanFlags, command: Command): ScalePlan | undefined {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (flags.pages === undefined) {
    const stray = command.options.find((option) => {
      const name = option.attributeName()
      return SCALE_FLAGS.some((each) => each === name) && isGiven(name)
    })
    if (stray === undefined) return undefined
    throw new CrawlerError('usage', `${stray.long}: expected --pages with it`)
  }
  if (flags.hosts === undefined)
    throw new CrawlerError('usage', '--pages: expected --hosts with it')
  const pages = wholeNumber('--pages', flags.pages, MAX_URLS)
  const hosts = wholeNumber('--hosts', flags.hosts, Math.min(pages, MAX_HOSTS))
  const urls = isGiven('urls') ? urlsFrom(flags.urls) : Math.ceil(pages * ASSUMED.urlsPerPage)
  if (urls < pages) throw unexpectedValue('--urls', 'at least as many URLs as --pages', flags.urls)
  const { machines, cores = String(availableParallelism()) } = flags
  return planScale({
    pages,
    hosts,
    urls,
    falsePositiveRate: rateFrom(flags.falsePositiveRate),
    delay: durationFrom('--delay', flags.delay, 0),
    perHost: wholeNumber('--per-host', flags.perHost, MAX_PER_HOST),
    responseTime: durationFrom('--response-time', flags.responseTime, 1),
    pageSize: sizeFrom(flags.pageSize),
    linksPerPage: wholeNumber('--links-per-page', flags.linksPerPage, MAX_PAGE_LINKS),
    cores: wholeNumber('--cores', cores, MAX_CORES),
    ...(machines !== undefined && { machines: wholeNumber('--machines', machines, MAX_MACHINES) }),
  })
}

function urlsFrom(text: string): number {
  return wholeNumber('--urls', text, MAX_URLS)
}

function wholeNumber(flag: string, text: string, max: number): number {
  const number = parseNumber(text)
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  const shown = max >= 1e6 ? max.toExponential().replace(/e\+/, 'e') : String(max)
  throw unexpectedValue(flag, `a whole number from 1 to ${shown}`, text)
}

function durationFrom(flag: string, text: string, minMs: number): number {
  const ms = DURATION_PATTERN.test(text) ? parseDuration(text) : Number.NaN
  if (ms >= minMs) return ms
  throw unexpectedValue(flag, 'a duration such as "500ms" or "2s"', text)
}

function sizeFrom(text: string): number {
  const bytes = SIZE_PATTERN.test(text) ? parseSize(text) : Number.NaN
  if (bytes >= 1) return bytes
  throw unexpectedValue('--page-size', 'a size such as "25kB" or "1MiB"', text)
}

function rateFrom(text: string): number {
  const rate = parseNumber(text)
  if (rate >= MIN_RATE && rate < 1) return rate
  throw unexpectedValue(
    '--false-positive-rate',
    `a number of at least ${MIN_RATE} and below 1`,
    text,
  )
}

function tableOf({ urls, falsePositiveRate, memory, strategies }: StrategyComparison): string[] {
  const lines = layOutTable({ headings: HEADER, rows: strategies.map(rowOf) })
  const refusals = strategies.flatMap((plan) =>
    plan.refusal === undefined ? [] : [`${nameOf(plan)} can't: ${plan.refusal}`],
  )
  const title =
    `${countOf(urls, 'URL')} at a false-positive rate of ${falsePositiveRate}; ` +
    `this machine has ${formatSize(memory)} of memory.`
  return [title, '', ...lines, ...(refusals.length > 0 ? ['', ...refusals] : [])]
}

function rowOf(plan: StrategyPlan): string[] {
  const { bitsPerUrl, hashes, bytes, diskBytes, expectedLost } = plan
  const lost =
    expectedLost === 0 || expectedLost >= 0.5
      ? formatCount(Math.round(expectedLost))
      : expectedLost.toExponential(0)
  const disk = diskBytes === undefined ? '-' : formatSize(diskBytes)
  return [nameOf(plan), bitsPerUrl.toFixed(1), String(hashes ?? '-'), formatSize(bytes), disk, lost]
}

function nameOf({ seen, digest }: StrategyPlan): string {
  return digest === undefined ? seen : `${seen} (${digest})`
}
