import type { Command, Help, Option } from 'commander'
import { HOMEPAGE } from '../../version.ts'
import { EXIT_CODE, EXIT_MEANINGS, EXIT_MEANINGS_WITHOUT_CRAWL } from '../exit-code.ts'
import { COMMAND_PAGES, type CommandPage, type Explained } from './command-pages.ts'

/** Length of a help text: `short` has the most used options, `full` has everything. */
export type HelpLength = 'short' | 'full'

/** A heading and the lines under it. */
interface HelpSection {
  readonly heading: string
  readonly items: readonly Explained[]
  /** True if each meaning is on the line above its term, since the terms are long. */
  readonly isStacked?: true
}

/** Returns the length of the help text that the arguments request. */
export function helpLength(args: readonly string[]): HelpLength {
  const isShort = args.some((arg) => /^-\w*h\w*$/.test(arg)) || args.join() === 'help'
  return isShort && !args.includes('--help') ? 'short' : 'full'
}

/** Returns the help of a command. Only the full help has all options, exit codes, files and environment. */
export function formatHelp(command: Command, helper: Help, length: HelpLength): string {
  const width = helper.helpWidth ?? 80
  const page = COMMAND_PAGES[command.name()]
  const sections = [
    ...commandSections(command, helper, length),
    { heading: 'Arguments:', items: argumentsOf(command, helper) },
    ...optionSections(command, helper, length === 'short' ? page?.mainOptions : undefined),
    ...(page === undefined ? [] : pageSections(page, length)),
  ].filter(({ items }) => items.length > 0)
  const texts = [
    `Usage: ${usageOf(command)}`,
    helper.boxWrap(command.description(), width),
    ...sections.map((section) => sectionText(section, helper)),
    footer(command, page, length),
  ]
  return `${texts.join('\n\n')}\n`
}

/** Returns the usage of a command. For `crawl` itself, it has two lines: without and with a subcommand. */
function usageOf(command: Command): string {
  const usage = `${fullName(command)} ${command.usage()}`
  return command.parent === null ? `${usage}\n       ${command.name()} <command> [options]` : usage
}

/** Returns the words that run a command: `crawl` or `crawl check`. */
export function fullName(command: Command): string {
  const { parent } = command
  return parent === null ? command.name() : `${parent.name()} ${command.name()}`
}

function commandSections(command: Command, helper: Help, length: HelpLength): HelpSection[] {
  const groups = Map.groupBy(helper.visibleCommands(command), (each) =>
    length === 'short' ? 'Commands:' : each.helpGroup(),
  )
  return [...groups].map(([heading, commands]) => ({
    heading,
    items: commands.map((each) => [each.name(), each.description()]),
  }))
}

function argumentsOf(command: Command, helper: Help): Explained[] {
  return helper
    .visibleArguments(command)
    .map((argument) => [helper.argumentTerm(argument), helper.argumentDescription(argument)])
}

/** @param main long names of the options to list; undefined lists all options */
function optionSections(
  command: Command,
  helper: Help,
  main: readonly string[] | undefined,
): HelpSection[] {
  const options = helper.visibleOptions(command)
  const item = (option: Option): Explained => [
    helper.optionTerm(option),
    // Commander quotes texts, unlike the defaults of settings.
    helper.optionDescription(option).replace(/\(default: "(.*)"\)$/, '(default: $1)'),
  ]
  if (main !== undefined) {
    const found = main.flatMap((name) => options.filter(({ long }) => long === name))
    return [{ heading: 'Most used options:', items: found.map(item) }]
  }
  const groups = Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Options:')
  return [...groups].map(([heading, group]) => ({ heading, items: group.map(item) }))
}

function pageSections(page: CommandPage, length: HelpLength): HelpSection[] {
  const examples = { heading: 'Examples:', items: page.examples, isStacked: true } as const
  if (length === 'short') return [examples]
  return [
    examples,
    { heading: 'Exit codes:', items: exitCodesOf(page) },
    { heading: 'Files:', items: page.files },
    { heading: 'Environment:', items: page.environment },
  ]
}

/** Returns the exit codes of a command in numeric order, with their meanings. */
export function exitCodesOf({ exits }: CommandPage): Explained[] {
  const crawls = exits.includes('noSeed')
  const meanings = crawls ? EXIT_MEANINGS : { ...EXIT_MEANINGS, ...EXIT_MEANINGS_WITHOUT_CRAWL }
  return exits
    .toSorted((one, other) => EXIT_CODE[one] - EXIT_CODE[other])
    .map((name) => [String(EXIT_CODE[name]), meanings[name]])
}

function sectionText({ heading, items, isStacked }: HelpSection, helper: Help): string {
  const longest = Math.max(...items.map(([term]) => term.length))
  const lines = items.map(([term, meaning]) =>
    isStacked
      ? stackedItem(term, meaning, helper)
      : helper.formatItem(term, longest, meaning, helper),
  )
  return [heading, ...lines].join('\n')
}

function stackedItem(term: string, meaning: string, helper: Help): string {
  const comment = helper.boxWrap(meaning, (helper.helpWidth ?? 80) - '  # '.length)
  return [...comment.split('\n').map((line) => `  # ${line}`), `  ${term}`].join('\n')
}

function footer(command: Command, page: CommandPage | undefined, length: HelpLength): string {
  const name = fullName(command)
  const isCut = length === 'short' && page?.mainOptions !== undefined
  const count = command.options.filter(({ hidden }) => !hidden).length
  return [
    ...(isCut
      ? [`${name} --help shows all ${count} options, exit codes, files and environment.`]
      : []),
    ...(command.parent === null ? [`${name} help <command> shows one of the commands.`] : []),
    `Docs: ${docsUrl(page?.docs ?? 'README.md')}`,
  ].join('\n')
}

/** Returns the address of a page in docs/. */
export function docsUrl(page: string): string {
  return `${HOMEPAGE}/blob/main/docs/${page}`
}
