import type { Writable } from 'node:stream'
import type { Config } from '../../config/schema.ts'
import type { Outputs, RunningCrawl } from '../../crawl/start-crawl.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { createLogger, type Logger } from '../../logger.ts'
import { isPipe } from '../../sinks/file-identity.ts'
import type { CliContext } from '../cli-context.ts'

/** How people are told of a crawl. */
export interface CrawlDisplay {
  /** Where visits go. */
  readonly stdout: Writable
  readonly logger: Logger
  readonly shown: NonNullable<Outputs['shown']>
  begin(crawl: RunningCrawl): void
  /** @param summary absent when the crawl failed */
  end(summary?: Summary): void
}

/** Levels at which a log tells how far a crawl is. */
const TALKATIVE: ReadonlySet<string> = new Set(['trace', 'debug', 'info'])

/**
 * At a terminal a view of the crawl as it goes, and a summary to read; otherwise only the log.
 * @param hasSummary whether the end of the crawl is worth display by itself
 */
export async function openCrawlDisplay(
  config: Config,
  context: CliContext,
  hasSummary = true,
): Promise<CrawlDisplay> {
  const { stderr, ...display } = await openView(config, context, hasSummary)
  const pretty = context.stderr.isTTY === true
  const logger = await createLogger({ level: config.logLevel, stream: stderr, pretty })
  return { ...display, logger }
}

/** What log lines go to is known before there is a log. */
type View = Omit<CrawlDisplay, 'logger'> & { readonly stderr: NodeJS.WritableStream }

async function openView(config: Config, context: CliContext, hasSummary: boolean): Promise<View> {
  const { stdout, stderr } = context
  if (stderr.isTTY !== true || !TALKATIVE.has(config.logLevel)) {
    return { stdout, stderr, shown: { progress: false, summary: false }, begin() {}, end() {} }
  }
  // Loaded only for a terminal, as its log is.
  const { summaryText } = await import('./summary-text.ts')
  const { extentOf } = await import('./screen.ts')
  const tellEnd = (summary?: Summary) => {
    if (summary !== undefined && hasSummary)
      stderr.write(summaryText(summary, config, extentOf(stderr).columns))
  }
  if (!config.progress || !context.canMoveCursor || sharesTerminal(config, context)) {
    return { stdout, stderr, shown: { progress: false, summary: true }, begin() {}, end: tellEnd }
  }
  const { LiveView } = await import('./live-view.ts')
  const view = new LiveView(stderr)
  return {
    stdout: stdout.isTTY === true ? view.above(stdout) : stdout,
    stderr: view.above(stderr),
    shown: { progress: true, summary: true },
    begin: (crawl) => view.begin(crawl),
    end(summary) {
      view.end()
      tellEnd(summary)
    },
  }
}

/**
 * Whether somebody else may write to the terminal meanwhile, as `jq` does behind a pipe: a view would be drawn over
 * those lines. Terminals, files and /dev/null have no reader that could.
 */
function sharesTerminal({ output, skipped, links }: Config, { stdout }: CliContext): boolean {
  const files = [...output, skipped, links].filter((name) => name !== undefined && name !== '-')
  return [stdout.fd, ...files].some((file) => file !== undefined && isPipe(file))
}
