import { CrawlerError, encodeJson, type Plan, planCrawl, type StrategyPlan } from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { numberIn } from './flag-values.ts'
import type { PlanFlags } from './plan-command.ts'
import { printLines, tellError } from './print.ts'
import { linesOf } from './terminal/columns.ts'
import type { World } from './world.ts'

const MOST_URLS = 1e15
const LEAST_RATE = 1e-18
const HEADER = ['--seen', 'bits/URL', 'hashes', 'memory', 'disk', 'URLs lost']

/** Prints the plan; gives the exit code. */
export async function runPlan(flags: PlanFlags, world: World): Promise<number> {
  try {
    const plan = planCrawl(urlsFrom(flags.urls), rateFrom(flags.falsePositiveRate))
    await printLines(flags.json ? [encodeJson(plan)] : tableOf(plan), world)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}

function urlsFrom(text: string): number {
  const urls = numberIn(text)
  if (Number.isInteger(urls) && urls >= 1 && urls <= MOST_URLS) return urls
  throw unexpected('--urls', 'a whole number from 1 to 1e15', text)
}

function rateFrom(text: string): number {
  const rate = numberIn(text)
  if (rate >= LEAST_RATE && rate < 1) return rate
  throw unexpected('--false-positive-rate', `a number from ${LEAST_RATE} to 1`, text)
}

function unexpected(flag: string, expected: string, text: string): CrawlerError {
  return new CrawlerError('usage', `${flag}: expected ${expected}, got \`${text}\``)
}

function tableOf({ urls, falsePositiveRate, memory, strategies }: Plan): string[] {
  const columns = { heads: HEADER, rows: strategies.map(rowOf) }
  const lines = linesOf(columns, Number.POSITIVE_INFINITY)
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
