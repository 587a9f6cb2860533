import type { Config } from '../../config/schema.ts'
import { startCrawl } from '../../crawl/start-crawl.ts'
import { CrawlerError } from '../../errors.ts'
import { DryRunOutput } from '../../output/dry-run-output.ts'
import { awaitCrawl, exitCodeOf } from '../await-crawl.ts'
import type { CliContext } from '../cli-context.ts'
import type { CrawlFlags } from '../options/crawl-options.ts'
import { readReportSettings } from '../options/read-settings.ts'
import { unexpectedValue } from '../options/typed-values.ts'
import { openCrawlDisplay } from '../terminal/crawl-display.ts'
import { printLines } from '../terminal/print.ts'

/** Runs `crawl --dry-run`: shows what the same command would crawl first. Returns the exit code. */
export async function dryRun(
  typed: readonly string[],
  flags: CrawlFlags,
  context: CliContext,
): Promise<number> {
  const config = await settingsFrom(typed, flags, context)
  const display = await openCrawlDisplay(config, context, { hasSummary: false })
  const output = new DryRunOutput(display.stdout, config.format === 'jsonl')
  const outputs = { visits: output.visits, skipped: output.skipped, shown: display.shown }
  const crawl = startCrawl(config, outputs, display.logger)
  const summary = await awaitCrawl(crawl, display, context)
  if (config.format !== 'jsonl') await printLines([output.total], context)
  return exitCodeOf(summary, context)
}

async function settingsFrom(
  typed: readonly string[],
  flags: CrawlFlags,
  context: CliContext,
): Promise<Config> {
  const config = await readReportSettings(typed, flags, context)
  const { format = 'line', frontier } = config
  if (format !== 'line' && format !== 'jsonl') {
    throw unexpectedValue('--format', 'line or jsonl with --dry-run', format)
  }
  if (frontier.length > 0) {
    throw new CrawlerError('usage', '--dry-run: expected no --frontier with it')
  }
  const {
    state: _,
    links: __,
    saveBodies: ___,
    screenshots: ____,
    revisitAfter: _____,
    ...rest
  } = config
  // The reasons why URLs are skipped are part of the output.
  return { ...rest, output: ['-'], skipped: '-', retryFailed: false, force: false, dryRun: true }
}
