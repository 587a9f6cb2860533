import { Command, Option } from 'commander'
import { SETTING_GROUPS, type SettingGroup } from '../../config/schema.ts'
import { appendValue, type OptionVariants, optionsOf } from './setting-options.ts'

/** Flags as typed: each a text, a list of texts, or true. */
export interface CrawlFlags extends Record<string, unknown> {
  /** False for `--no-config`. */
  readonly config?: string | false
  readonly seeds?: readonly string[]
  readonly quiet?: true
  /** Number of times that it was typed. */
  readonly verbose?: number
  readonly state?: string
  readonly force?: boolean
  readonly extractFile?: string
  readonly dryRun?: true
}

/** A flag and its help. A flag that is typed several times is counted or listed; otherwise the last value is used. */
type FurtherOption = readonly [flags: string, help: string, several?: 'counted' | 'listed']

/** Options without a setting, by the group that lists them. */
const FURTHER_OPTIONS: Readonly<Partial<Record<SettingGroup, readonly FurtherOption[]>>> = {
  'What to crawl': [
    [
      '--seeds <file>',
      'read further seeds from this file, one per line; - is stdin (repeatable)',
      'listed',
    ],
  ],
  'Data from pages': [
    ['--extract-file <file>', 'read the fields of --extract from this JSON object'],
  ],
  Output: [
    [
      '--dry-run',
      'show what would be crawled: read only the seeds, robots.txt and sitemaps, and write nothing',
    ],
  ],
  Program: [
    [
      '--config <file>',
      'read settings from this file (default: crawler.config.json, if it is there)',
    ],
    ['--no-config', 'read no file of settings, not even crawler.config.json'],
    ['-q, --quiet', 'log only errors'],
    [
      '-v, --verbose',
      'log why URLs are skipped and hosts wait; -vv also which worker gets which URL',
      'counted',
    ],
  ],
}

const CHECK_GROUPS = [
  'What to crawl',
  'Politeness',
  'Fetching',
  'Connection',
  'Logging in',
  'Seen set',
  'Program',
] as const

/** Creates the command line of `crawl`, without its subcommands. */
export function createProgram(version: string): Command {
  const program = new Command('crawl')
    .description('Crawls from the seeds and prints one JSON line per visited URL.')
    .argument('[seed-url...]', 'URLs to start from; without a scheme https is tried, then http')
    .usage('<seed-url...> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help: -h the most used options, --help everything')
    // Words after a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .helpCommand(false)
    .showSuggestionAfterError(false)
  addSettingOptions(program, SETTING_GROUPS)
  return program
}

/** Adds the options of a crawl to `crawl check`. */
export function addCheckOptions(command: Command): void {
  addSettingOptions(command, CHECK_GROUPS, {
    depth: { defaultText: 'unlimited' },
    logLevel: { defaultText: 'info at a terminal, else warn' },
    assets: { turnsOff: 'do not check images, scripts and style sheets' },
    external: { turnsOff: 'do not check links that leave the scope' },
    externalAssets: {
      help: 'also read images, scripts and style sheets that leave the scope, and check what these load',
    },
    deterministic: { help: 'visit URLs in a fixed order, so that two checks print the same' },
    maxPages: { help: 'stop after this many visits, including redirects, assets and failures' },
    rate: {
      help: 'maximum requests per second of the whole check, such as 5/s or 5; also 30/m or 100/h',
    },
  })
}

function addSettingOptions(
  command: Command,
  groups: readonly SettingGroup[],
  variants?: OptionVariants,
): void {
  for (const group of groups) {
    command.optionsGroup(`${group}:`)
    for (const option of optionsOf(group, variants)) command.addOption(option)
    for (const [flags, help, several] of FURTHER_OPTIONS[group] ?? []) {
      const option = new Option(flags, help)
      if (several === 'counted') option.argParser((_, before: unknown) => Number(before ?? 0) + 1)
      if (several === 'listed') option.argParser(appendValue)
      command.addOption(option)
    }
  }
}
