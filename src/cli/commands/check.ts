import type { Command } from 'commander'
import type { Config } from '../../config/schema.ts'
import { UNLIMITED_DEPTH } from '../../config/settings/crawl-settings.ts'
import { DURATION_PATTERN, parseDuration } from '../../config/units.ts'
import { startCrawl } from '../../crawl/start-crawl.ts'
import { openMetrics } from '../../crawl/stats/metrics.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { CrawlerError } from '../../errors.ts'
import { Baseline } from '../../inspect/check/baseline.ts'
import { junitXml } from '../../inspect/check/junit.ts'
import { LinkCache } from '../../inspect/check/link-cache.ts'
import { LINK_PROBLEMS, type LinkProblem } from '../../inspect/check/link-findings.ts'
import { LinkRecorder } from '../../inspect/check/link-recorder.ts'
import { nameSuggestion } from '../../near-name.ts'
import { statusesOf } from '../../records/status-patterns.ts'
import { awaitCrawl, exitCodeOf } from '../await-crawl.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { refuseOverwritingInputs } from '../files/refuse-overwriting-inputs.ts'
import { checkWritable, writeFile } from '../files/write-file.ts'
import { addCheckOptions, type CrawlFlags } from '../options/crawl-options.ts'
import { ListedOption } from '../options/option-choices.ts'
import { inputFiles, readReportSettings } from '../options/read-settings.ts'
import { checkFileNames, unexpectedValue } from '../options/typed-values.ts'
import { CheckReport } from '../terminal/check-report.ts'
import { openCrawlDisplay } from '../terminal/crawl-display.ts'
import { isColored } from '../terminal/is-colored.ts'
import { printLines } from '../terminal/print.ts'

const FORMATS = ['text', 'json', 'csv', 'md'] as const

/** A status that is an error, or a class of them. Some sites answer 999 to programs. */
const STATUS_PATTERN = /^[4-9](?:\d\d|xx)$/
const EXPECTED_STATUSES = 'statuses from 400 to 999, or classes such as 5xx, separated by commas'
const NO_IMAGES =
  '--only-images: expected assets to check, got --no-assets or `"assets": false` in the config file'

const SOURCES = {
  command: 'crawl check',
  defaults: { depth: UNLIMITED_DEPTH, assets: true, external: true },
} as const

interface CheckFlags extends CrawlFlags {
  readonly format: string
  readonly failOn: string
  readonly accept?: string
  readonly baseline?: string
  readonly cache?: string
  readonly cacheAge: string
  readonly junit?: string
  readonly onlyImages?: true
  readonly overwrite?: boolean
}

/** Configures `crawl check [seed-url...]`. */
export function configureCheck(command: Command, run: RunAction): void {
  command
    .argument('[seed-url...]', 'URLs where the site begins, or the folder of its pages')
    .optionsGroup('Report:')
    .addOption(
      new ListedOption(
        '-f, --format <name>',
        'text (problems by page), json, csv or md (a table in Markdown)',
        FORMATS,
      ).default('text'),
    )
    .addOption(
      new ListedOption(
        '--fail-on <problems>',
        'problems that cause exit code 8: broken, fragment, redirect',
        LINK_PROBLEMS,
      ).default('broken,fragment'),
    )
    .option(
      '--only-images',
      'report only broken images: of img, picture, svg, icons, posters, previews (og:image), image preloads and plug-ins, of styles and style sheets, and in attributes of lazy-loading scripts, such as data-src, data-original and data-bg (docs/check.md lists them)',
    )
    .option('--accept <codes>', 'statuses that do not count as broken, such as 403,429,999 or 5xx')
    .option(
      '--baseline <file>',
      'report only problems that this output of crawl check -f json does not list',
    )
    .option(
      '--cache <file>',
      'do not request links to other hosts that worked in an earlier check; keeps them in this file',
    )
    .option('--cache-age <duration>', 'request cached links again after this time', '1d')
    .option('--junit <file>', 'also write the problems as JUnit XML')
    .option('--overwrite', 'replace an existing file')
  addCheckOptions(command)
  command.action((seeds: string[], flags: CheckFlags) => {
    return run((context) => check(seeds, flags, context))
  })
}

async function check(
  typed: readonly string[],
  {
    format,
    failOn,
    accept,
    baseline,
    cache,
    cacheAge,
    junit,
    onlyImages,
    overwrite = false,
    ...flags
  }: CheckFlags,
  context: CliContext,
): Promise<number> {
  const failing = problemsFrom(failOn)
  const accepted = acceptedFrom(accept)
  checkJunitName(junit)
  checkFileNames({ '--baseline': baseline, '--cache': cache })
  checkFormat(format)
  const known = baseline === undefined ? undefined : new Baseline(baseline)
  const links = cacheFrom(cache, cacheAge)
  if (cache !== undefined) await checkWritable(cache, true)
  if (junit !== undefined) await checkWritable(junit, overwrite)
  const config = await readReportSettings(typed, flags, context, SOURCES)
  if (junit !== undefined)
    refuseOverwritingInputs([baseline, cache, ...inputFiles(flags, config)], junit)
  if (onlyImages && !config.assets) throw new CrawlerError('usage', NO_IMAGES)
  const recorder = new LinkRecorder(config, { onlyImages, accepted, baseline: known }, links)
  try {
    const reporting = { format, failing, baseline, junit, overwrite }
    return await crawlAndReport(recorder, config, reporting, context)
  } finally {
    recorder.dispose()
  }
}

/** Where and how the findings of a check are reported. */
interface Reporting {
  readonly format: (typeof FORMATS)[number]
  /** Problems that cause exit code 8. */
  readonly failing: ReadonlySet<LinkProblem>
  readonly baseline: string | undefined
  readonly junit: string | undefined
  readonly overwrite: boolean
}

async function crawlAndReport(
  recorder: LinkRecorder,
  config: Config,
  { format, failing, baseline, junit, overwrite }: Reporting,
  context: CliContext,
): Promise<number> {
  const summary = await crawlInto(recorder, config, context)
  const report = new CheckReport(recorder, summary, { ...config, baseline })
  await printLines(report[format](), context, isColored(context.stdout, context, config.color))
  if (junit !== undefined) await writeFile(junit, overwrite, junitXml(report.resultsWith(failing)))
  // Only the next check needs the cache, so a failure to write it must not cost the results of this one.
  recorder.writeCache()
  const code = exitCodeOf(summary, context)
  const isWhole = code === EXIT_CODE.done || code === EXIT_CODE.hostGivenUp
  return isWhole && report.has(failing) ? EXIT_CODE.broken : code
}

function checkFormat(format: string): asserts format is (typeof FORMATS)[number] {
  if (FORMATS.some((name) => name === format)) return
  throw unexpectedValue('--format', 'text, json, csv or md', format, FORMATS)
}

/** Returns the statuses that `--accept` lists. */
function acceptedFrom(typed?: string): ReadonlySet<number> {
  const patterns = typed?.split(',').map((pattern) => pattern.trim().toLowerCase()) ?? []
  if (patterns.every((pattern) => STATUS_PATTERN.test(pattern))) return statusesOf(patterns)
  throw unexpectedValue('--accept', EXPECTED_STATUSES, typed ?? '')
}

/** Returns the cache of a file; undefined without one. */
function cacheFrom(file: string | undefined, age: string): LinkCache | undefined {
  if (!DURATION_PATTERN.test(age))
    throw unexpectedValue('--cache-age', 'a duration such as 1d', age)
  return file === undefined ? undefined : new LinkCache(file, parseDuration(age))
}

function checkJunitName(junit: string | undefined): void {
  checkFileNames({ '--junit': junit })
  if (junit !== '-') return
  throw new CrawlerError('usage', '--junit: expected a separate file, got stdout')
}

async function crawlInto(
  visits: LinkRecorder,
  config: Config,
  context: CliContext,
): Promise<Summary> {
  const display = await openCrawlDisplay(config, context, { hasSummary: false })
  const { shown } = display
  const isKnownExternal = visits.hasCache ? visits.isCached : undefined
  const metrics = await openMetrics(config.metrics)
  try {
    const crawl = startCrawl(
      config,
      { visits, isKnownExternal, linkGraph: 'anchors', shown },
      display.logger,
    )
    metrics?.watch(crawl)
    return await awaitCrawl(crawl, display, context)
  } finally {
    metrics?.close()
  }
}

function problemsFrom(text: string): ReadonlySet<LinkProblem> {
  const names = text.split(',').map((name) => name.trim())
  const known = LINK_PROBLEMS.filter((problem) => names.includes(problem))
  if (known.length === new Set(names).size) return new Set(known)
  const unknown = names.find((name) => !LINK_PROBLEMS.some((problem) => problem === name)) ?? text
  const suggestion = nameSuggestion(unknown, LINK_PROBLEMS)
  throw unexpectedValue('--fail-on', `some of ${LINK_PROBLEMS.join(', ')}${suggestion}`, text)
}
