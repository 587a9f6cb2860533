import type { Command } from 'commander'
import { encodeJson } from '../../records/json-line.ts'
import { type CrawlPlan, planCrawl, type StrategyPlan } from '../../seen/compare-strategies.ts'
import type { RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { parseNumber, unexpectedValue } from '../options/settings-from-flags.ts'
import { printLines } from '../terminal/print.ts'
import { layOutTable } from '../terminal/text-table.ts'

const MAX_URLS = 1e15
const MIN_RATE = 1e-18
const HEADER = ['--seen', 'bits/URL', 'hashes', 'memory', 'disk', 'URLs lost']

interface PlanFlags {
  readonly urls: string
  readonly falsePositiveRate: string
  readonly json?: true
}

/** Configures `crawl plan`. */
export function configurePlan(command: Command, run: RunAction): void {
  command
    .option('--urls <n>', 'URLs that the crawl will meet', '1e6')
    .option('--false-positive-rate <p>', 'share of new URLs that may be missed', '0.001')
    .option('--json', 'print one JSON object')
    .action((flags: PlanFlags) => {
      return run(async (context) => {
        const plan = planCrawl(urlsFrom(flags.urls), rateFrom(flags.falsePositiveRate))
        await printLines(flags.json ? [encodeJson(plan)] : tableOf(plan), context)
        return EXIT_CODE.done
      })
    })
}

function urlsFrom(text: string): number {
  const urls = parseNumber(text)
  if (Number.isInteger(urls) && urls >= 1 && urls <= MAX_URLS) return urls
  throw unexpectedValue('--urls', 'a whole number from 1 to 1e15', text)
}

function rateFrom(text: string): number {
  const rate = parseNumber(text)
  if (rate >= MIN_RATE && rate < 1) return rate
  throw unexpectedValue('--false-positive-rate', `a number from ${MIN_RATE} to 1`, text)
}

function tableOf({ urls, falsePositiveRate, memory, strategies }: CrawlPlan): string[] {
  const columns = { headings: HEADER, rows: strategies.map(rowOf) }
  const lines = layOutTable(columns, Number.POSITIVE_INFINITY)
  const refusals = strategies.flatMap((plan) =>
    plan.refusal === undefined ? [] : [`${nameOf(plan)} can't: ${plan.refusal}`],
  )
  const title =
    `${urls.toLocaleString('en')} URLs at a false-positive rate of ${falsePositiveRate}; ` +
    `this machine has ${size(memory)} of memory.`
  return [title, '', ...lines, ...(refusals.length > 0 ? ['', ...refusals] : [])]
}

function rowOf(plan: StrategyPlan): string[] {
  const { bitsPerUrl, hashes, bytes, diskBytes, expectedLost } = plan
  const lost =
    expectedLost === 0 || expectedLost >= 0.1
      ? expectedLost.toFixed(0)
      : expectedLost.toExponential(0)
  const disk = diskBytes === undefined ? '-' : size(diskBytes)
  return [nameOf(plan), bitsPerUrl.toFixed(1), String(hashes ?? '-'), size(bytes), disk, lost]
}

function nameOf({ seen, digest }: StrategyPlan): string {
  return digest === undefined ? seen : `${seen} (${digest})`
}

function size(bytes: number): string {
  return bytes < 2 ** 30
    ? `${(bytes / 2 ** 20).toFixed(1)} MiB`
    : `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
