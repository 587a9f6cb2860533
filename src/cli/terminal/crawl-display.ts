import { Writable } from 'node:stream'
import type { Config } from '../../config/schema.ts'
import type { CrawlOutputs } from '../../crawl/crawl-outputs.ts'
import type { RunningCrawl } from '../../crawl/start-crawl.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { createLogger, type Logger } from '../../logger.ts'
import type { CliContext, MessageForm } from '../cli-context.ts'
import { isColored } from './is-colored.ts'

/** Shows a crawl to people. */
export interface CrawlDisplay {
  /** Destination of visits. */
  readonly stdout: Writable
  /** True if text on stdout is colored. */
  readonly hasColors: boolean
  readonly logger: Logger
  readonly shown: NonNullable<CrawlOutputs['shown']>
  begin(crawl: RunningCrawl): void
  /** @param summary absent when the crawl failed */
  end(summary?: Summary): void
}

/** Log levels that include progress. */
const PROGRESS_LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info'])

/**
 * Opens the display: at a terminal a live view and a final summary; otherwise, or for a log of JSON, only the log.
 * @param hasSummary false for a command that prints its own report
 */
export async function openCrawlDisplay(
  config: Config,
  context: CliContext,
  { hasSummary = true } = {},
): Promise<CrawlDisplay> {
  const { stderr, ...display } = await openTerminalView(config, context, hasSummary)
  const { color, foundFile, logFormat, logLevel: level } = config
  const pretty = (logFormat ?? (context.stderr.isTTY === true ? 'text' : 'json')) === 'text'
  const colors = isColored(context.stderr, context, color)
  const stream = pretty ? stderr : jsonLog(stderr, context.messageForm)
  const logger = await createLogger({ level, stream, pretty, colors })
  const hasColors = isColored(context.stdout, context, color)
  const begin: CrawlDisplay['begin'] = (crawl) => {
    if (foundFile !== undefined) logger.info(`Settings from ${foundFile}`)
    display.begin(crawl)
  }
  return { ...display, begin, hasColors, logger }
}

/** Returns a stream to stderr for JSON lines: after the first one, messages are JSON, too. */
function jsonLog(stderr: NodeJS.WritableStream, form: MessageForm): Writable {
  return new Writable({
    decodeStrings: false,
    write(line, _, done) {
      form.isJson = true
      stderr.write(line)
      done()
    },
  })
}

/** A display whose logger is still to be created: that needs `stderr`, the destination of log lines. */
type DisplayWithoutLog = Omit<CrawlDisplay, 'logger' | 'hasColors'> & {
  readonly stderr: NodeJS.WritableStream
}

async function openTerminalView(
  config: Config,
  context: CliContext,
  hasSummary: boolean,
): Promise<DisplayWithoutLog> {
  const { stdout, stderr } = context
  const isForPeople = stderr.isTTY === true && config.logFormat !== 'json'
  if (!isForPeople || !PROGRESS_LEVELS.has(config.logLevel)) {
    return { stdout, stderr, shown: { progress: false, summary: false }, begin() {}, end() {} }
  }
  // Loaded only at a terminal.
  const { summaryText } = await import('./summary-text.ts')
  const { sharesTerminal, terminalSize } = await import('./screen.ts')
  const showSummary = (summary?: Summary) => {
    if (summary !== undefined && hasSummary)
      stderr.write(summaryText(summary, config, terminalSize(stderr).columns))
  }
  if (!config.progress || !context.canMoveCursor || sharesTerminal(context, filesOf(config))) {
    return {
      stdout,
      stderr,
      shown: { progress: false, summary: true },
      begin() {},
      end: showSummary,
    }
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
      showSummary(summary)
    },
  }
}

/** Returns the names of the files that a crawl writes line by line. */
function filesOf({ output, skipped, links }: Config): string[] {
  const names = [...output, skipped, links].filter((name) => name !== undefined)
  return names.filter((name) => name !== '-')
}
