import type { Writable } from 'node:stream'
import {
  type Config,
  createLogger,
  isPipe,
  type Logger,
  type Outputs,
  type RunningCrawl,
  type Summary,
} from '../index.ts'
import type { World } from './world.ts'

/** How people are told of a crawl. */
export interface Telling {
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
 * @param hasSummary whether the end of the crawl is worth telling by itself
 */
export async function openTelling(
  config: Config,
  world: World,
  hasSummary = true,
): Promise<Telling> {
  const { stderr, ...telling } = await openView(config, world, hasSummary)
  const pretty = world.stderr.isTTY === true
  const logger = await createLogger({ level: config.logLevel, stream: stderr, pretty })
  return { ...telling, logger }
}

/** What log lines go to is known before there is a log. */
type View = Omit<Telling, 'logger'> & { readonly stderr: NodeJS.WritableStream }

async function openView(config: Config, world: World, hasSummary: boolean): Promise<View> {
  const { stdout, stderr } = world
  if (stderr.isTTY !== true || !TALKATIVE.has(config.logLevel)) {
    return { stdout, stderr, shown: { progress: false, summary: false }, begin() {}, end() {} }
  }
  // Loaded only for a terminal, as its log is.
  const { summaryText } = await import('./terminal/summary-text.ts')
  const { extentOf } = await import('./terminal/screen.ts')
  const tellEnd = (summary?: Summary) => {
    if (summary !== undefined && hasSummary)
      stderr.write(summaryText(summary, config, extentOf(stderr).columns))
  }
  if (!config.progress || !world.canMoveCursor || sharesTerminal(config, world)) {
    return { stdout, stderr, shown: { progress: false, summary: true }, begin() {}, end: tellEnd }
  }
  const { LiveView } = await import('./terminal/live-view.ts')
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
function sharesTerminal({ output, skipped, links }: Config, { stdout }: World): boolean {
  const files = [...output, skipped, links].filter((name) => name !== undefined && name !== '-')
  return [stdout.fd, ...files].some((file) => file !== undefined && isPipe(file))
}
