import {
  type Config,
  CrawlerError,
  createFileOutput,
  type FileOutput,
  junitXml,
  LINK_PROBLEMS,
  LinkBook,
  type LinkProblem,
  type Summary,
  startCrawl,
} from '../index.ts'
import type { CheckFlags } from './check-command.ts'
import { EXIT_CODE } from './exit-code.ts'
import { exitCodeOf, follow } from './follow.ts'
import { printLines, tellError } from './print.ts'
import type { Flags } from './program.ts'
import { readSeeds } from './seeds-file.ts'
import { readSettings } from './settings.ts'
import { openTelling } from './telling.ts'
import { CheckReport } from './terminal/check-report.ts'
import type { World } from './world.ts'
import { writeTexts } from './write-texts.ts'

/** As deep as any site is. */
const ALL_OF_IT = 1_000_000

/** Carries out `crawl check`; gives the exit code. */
export async function runCheck(
  typed: readonly string[],
  { format, failOn, junit, overwrite, ...flags }: CheckFlags,
  world: World,
): Promise<number> {
  let book: LinkBook | undefined
  let file: FileOutput | undefined
  try {
    const failing = problemsFrom(failOn)
    if (format !== 'text' && format !== 'json') throw unexpected('format', 'text or json', format)
    if (junit !== undefined) file = await createFileOutput(junit, { overwrite: overwrite === true })
    const config = await settingsFrom(typed, flags, world)
    book = new LinkBook(config)
    const summary = await crawlInto(book, config, world)
    const report = new CheckReport(book, summary)
    await printLines(format === 'json' ? report.json() : report.text(), world)
    if (file !== undefined) await writeTexts(file, junitXml(report.of(failing), report.total))
    const code = exitCodeOf(summary, world)
    const isWhole = code === EXIT_CODE.done || code === EXIT_CODE.hostGivenUp
    return isWhole && report.has(failing) ? EXIT_CODE.broken : code
  } catch (error) {
    await file?.discard()
    return tellError(error, world)
  } finally {
    book?.dispose()
  }
}

async function settingsFrom(typed: readonly string[], flags: Flags, world: World): Promise<Config> {
  const more = flags.seeds === undefined ? [] : await readSeeds(flags.seeds, world.stdin)
  // What is told is told at the end; at a terminal the view fills the time until then.
  const logLevel = world.stderr.isTTY === true ? 'info' : 'warn'
  const defaults = { depth: ALL_OF_IT, assets: true, external: true, logLevel } as const
  const background = { defaults, environment: world.environment }
  const { config } = await readSettings([...typed, ...more], flags, background)
  return config
}

async function crawlInto(book: LinkBook, config: Config, world: World): Promise<Summary> {
  const telling = await openTelling(config, world, false)
  const { shown } = telling
  const crawl = startCrawl(config, { visits: book, linkGraph: 'anchors', shown }, telling.logger)
  return follow(crawl, telling, world)
}

function problemsFrom(text: string): ReadonlySet<LinkProblem> {
  const names = text.split(',').map((name) => name.trim())
  const known = LINK_PROBLEMS.filter((problem) => names.includes(problem))
  if (known.length === new Set(names).size) return new Set(known)
  throw unexpected('fail-on', `some of ${LINK_PROBLEMS.join(', ')}`, text)
}

function unexpected(flag: string, expected: string, text: string): CrawlerError {
  return new CrawlerError('usage', `--${flag}: expected ${expected}, got \`${text}\``)
}
