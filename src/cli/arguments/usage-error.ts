import type { Command } from 'commander'
import { longFlagOf } from '../../config/describe-config-errors.ts'
import { settingsWith } from '../../config/schema.ts'
import { nearName } from '../../near-name.ts'
import { findOption, typedCommand } from './command-line.ts'
import { EQUIVALENT_OPTIONS, NEEDLESS_OPTIONS } from './other-programs.ts'

/**
 * Returns commander's message as one sentence: the problem, what the user may have meant, and how to get help.
 * @param program with all its subcommands
 */
export function describeUsageError(
  text: string,
  program: Command,
  args: readonly string[],
): string {
  const command = typedCommand(program, args)
  const wrong = text.replace(/^error: /, '').trimEnd()
  const names = command === program ? 'crawl' : `crawl ${command.name()}`
  const isNumber = /^(?:missing required argument|too many arguments)/.test(wrong)
  const hint = isNumber
    ? `; usage: ${names} ${command.usage()}`
    : hintOn(unknownOptionIn(wrong), program, command)
  const sentence = isNumber ? wrong.replace(/\.$/, '') : wrong
  return `${sentence}${hint} (${names} --help shows more)`
}

/** Advice on options that a command doesn't have, by command and option. */
const ADVICE_BY_COMMAND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: {
    '--output': 'the report goes to stdout, and --junit <file> also writes a file',
    '--state': 'a check is not kept, and ends with its report',
    '--links': 'crawl <url> --links <file> writes the links',
    '--skipped': '-v logs each URL that is skipped',
  },
  diff: {
    '--format': '--json prints JSON lines',
    '--output': 'the differences go to stdout',
    '--state': 'a directory goes in the place of a file',
  },
  job: { '--job': 'the name follows the action' },
  plan: { '--expected-urls': 'its name here is --urls', '--seen': 'all of them are compared' },
  report: {
    '--format': 'a report is HTML',
    '--state': 'a directory goes in the place of <visits>',
  },
  seen: { '--state': 'the directory goes before the action' },
  state: {
    '--format': '--json prints JSON',
    '--output': 'the progress goes to stdout',
    '--state': 'the directory needs no option',
  },
}

/** Returns a hint on an unknown option; empty if there is none. */
function hintOn(typed: string | undefined, program: Command, command: Command): string {
  if (typed === undefined) return ''
  return (
    valueHint(typed, command) ||
    crawlOptionHint(typed, program, command) ||
    (command === program ? needlessOptionHint(typed) || settingHint(typed) : '') ||
    suggestionFor(typed, command) ||
    (command.name() === 'check' ? needlessOptionHint(typed) : '') ||
    otherCommandHint(typed, program)
  )
}

/** Returns a hint for a known option that takes no value but got one, as in `--verbose=1`; empty for any other. */
function valueHint(typed: string, command: Command): string {
  return findOption(command, typed) === undefined ? '' : `; ${typed} takes no value`
}

/** Returns a hint for an option that a crawl doesn't need; empty for any other. */
function needlessOptionHint(typed: string): string {
  return Object.hasOwn(NEEDLESS_OPTIONS, typed)
    ? `; it isn't needed: ${NEEDLESS_OPTIONS[typed]}`
    : ''
}

/** Returns a hint for a setting that only a file can have, as in `--hooks`; empty for any other. */
function settingHint(typed: string): string {
  const [name] = settingsWith(({ flag }) => flag === undefined).filter(
    (each) => typed === `--${each.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  )
  return name === undefined ? '' : `; it is a setting for the file of --config: ${name}`
}

/** Returns a hint for an option of `crawl` itself; empty for any other. */
function crawlOptionHint(typed: string, program: Command, command: Command): string {
  const own = findOption(program, typed)
  if (own === undefined) return ''
  const instead = ADVICE_BY_COMMAND[command.name()]?.[own.long ?? ''] ?? ''
  const hint = instead === '' ? '' : `: ${instead}`
  return `; it belongs to crawl, not to crawl ${command.name()}${hint}`
}

/** Returns a hint for an option that one subcommand has; empty for any other. */
function otherCommandHint(typed: string, program: Command): string {
  const [owner, ...others] = program.commands.filter((each) => findOption(each, typed))
  return owner === undefined || others.length > 0 ? '' : `; it belongs to crawl ${owner.name()}`
}

function unknownOptionIn(message: string): string | undefined {
  return /^unknown option '(--?[\w-]+)/.exec(message)?.[1]
}

/** Returns a hint with the option that may be meant: one with a similar name, or with this name in another program. */
function suggestionFor(typed: string, command: Command): string {
  const visible = command.options.filter(({ hidden }) => !hidden)
  const names = visible.flatMap(({ long }) => long ?? [])
  const near = fromOtherProgram(typed, names) ?? nearOption(typed, names)
  return near === undefined ? '' : `; did you mean ${near}?`
}

/**
 * Returns the option that does the same as an option of another program; `-headless` and `--pageLimit` count as
 * `--headless` and `--page-limit`.
 */
function fromOtherProgram(typed: string, names: readonly string[]): string | undefined {
  const forms = [typed, `-${typed}`, typed.replace(/[A-Z]+/g, (name) => `-${name.toLowerCase()}`)]
  const key = forms.find((each) => Object.hasOwn(EQUIVALENT_OPTIONS, each))
  if (key !== undefined) {
    const meant = EQUIVALENT_OPTIONS[key] ?? ''
    const options = meant.match(/--[\w-]+/g) ?? []
    return options.every((each) => names.includes(each)) ? meant : undefined
  }
  const [same] = settingsWith(({ otherNames = [] }) => {
    return otherNames.some((name) => forms.includes(name))
  })
  const flag = same === undefined ? undefined : longFlagOf(same)
  return flag !== undefined && names.includes(flag) ? flag : undefined
}

/** Returns the option with a similar name, or the only one that begins with these words: `--exit-code` for `--exit`. */
function nearOption(typed: string, names: readonly string[]): string | undefined {
  if (!typed.startsWith('--')) return names.find((name) => name === `-${typed}`)
  const [longer, ...others] = names.filter((name) => name.startsWith(`${typed}-`))
  return nearName(typed, names) ?? (others.length === 0 ? longer : undefined)
}
