import type { Command } from 'commander'
import { longFlagOf } from '../config/describe-config-errors.ts'
import { likelyQuantities } from '../config/likely-quantity.ts'
import { accepts, isSettingName, settingsWith } from '../config/schema.ts'
import { nearName } from '../near-name.ts'

/** Returns commander's message as one sentence: what is wrong, what may be meant, and where help is. */
export function describeUsageError(
  text: string,
  program: Command,
  args: readonly string[],
): string {
  const command = program.commands.find((each) => each.name() === args[0])
  const wrong = text.replace(/^error: /, '').trimEnd()
  const help = ['crawl', ...(command === undefined ? [] : [command.name()]), '--help'].join(' ')
  const hint =
    command === undefined ? needlessOptionHint(wrong) : ownOptionHint(wrong, program, command)
  const suggestion = hint || suggestionFor(wrong, command ?? program)
  return `${wrong}${suggestion} (${help} shows more)`
}

/** Advice for options that only `crawl` itself has, by command and option. */
const INSTEAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: {
    '--output': 'the report goes to stdout, and --junit <file> also writes a file',
    '--state': 'a check is not kept, and ends with its report',
    '--links': 'crawl <url> --links <file> writes the links',
    '--skipped': '-v logs each URL that is skipped',
  },
}

const HTTP2 = 'servers may choose HTTP/2; --http1 turns that off'
const LINKS = 'links are followed; --depth says how far'
const REDIRECTS = 'redirects are followed; --max-redirects says how many in a row'
const ROBOTS = 'robots.txt is obeyed; --ignore-robots turns that off'
const JSON_LINES = 'JSON lines are the default format; --format has others'
const COMPRESSION = 'compressed responses are asked for'

/** What a crawl does without an option of another program, by its name there. */
const DONE_ANYWAY: Readonly<Record<string, string>> = {
  '--compressed': COMPRESSION,
  '--compression': COMPRESSION,
  '--follow-redirects': REDIRECTS,
  '--http2': HTTP2,
  '--json': JSON_LINES,
  '--jsonl': JSON_LINES,
  '--location': REDIRECTS,
  '-L': REDIRECTS,
  '-r': LINKS,
  '--recursive': LINKS,
  '--obey-robots': ROBOTS,
  '--respect-robots': ROBOTS,
  '--robots': ROBOTS,
}

/** Returns a hint for an option that a crawl doesn't need; empty for any other. */
function needlessOptionHint(message: string): string {
  const typed = unknownOptionIn(message) ?? ''
  return Object.hasOwn(DONE_ANYWAY, typed) ? `; it isn't needed: ${DONE_ANYWAY[typed]}` : ''
}

/** Returns a hint for an option that only `crawl` itself has; empty for any other. */
function ownOptionHint(message: string, program: Command, command: Command): string {
  const typed = unknownOptionIn(message)
  if (typed === undefined) return ''
  const own = program.options.find(({ long, short }) => typed === long || typed === short)
  if (own === undefined) return ''
  const instead = INSTEAD[command.name()]?.[own.long ?? ''] ?? ''
  const hint = instead === '' ? '' : `: ${instead}`
  return `; it belongs to crawl, not to crawl ${command.name()}${hint}`
}

function unknownOptionIn(message: string): string | undefined {
  return /^unknown option '(--?[\w-]+)/.exec(message)?.[1]
}

/** Returns which option was meant by an unknown one, if one is near, or has that name in another program. */
function suggestionFor(message: string, command: Command): string {
  const typed = unknownOptionIn(message)
  if (typed === undefined) return ''
  const visible = command.options.filter(({ hidden }) => !hidden)
  const names = visible.flatMap(({ long }) => long ?? [])
  const [same] = settingsWith(({ otherNames = [] }) => otherNames.includes(typed))
  const near = same === undefined ? nearOption(typed, names) : longFlagOf(same)
  return near === undefined ? '' : `; did you mean ${near}?`
}

function nearOption(typed: string, names: readonly string[]): string | undefined {
  return typed.startsWith('--')
    ? nearName(typed, names)
    : names.find((name) => name === `-${typed}`)
}

/** Ends with an error if an option has one dash in place of two: `-depth` would be `-d epth`. */
export function refuseSingleDashes(program: Command, args: readonly string[]): void {
  const command = program.commands.find((each) => each.name() === args[0]) ?? program
  const names = command.options.flatMap(({ long }) => long ?? [])
  const end = args.indexOf('--')
  const typed = end < 0 ? args : args.slice(0, end)
  const wrong = typed.find((arg) => names.includes(`-${arg}`))
  if (wrong !== undefined) program.error(`unknown option '${wrong}'`)
}

/** A number as the value of an option, with `=` or as the next word. */
const NUMBER = /^(?:--[\w-]+=)?\d+(?:\.\d+)?$/

/** Ends with an error if a unit stands apart from its number: the `ms` of `--delay 500 ms` would be a seed. */
export function refuseSplitQuantities(program: Command, args: readonly string[]): void {
  const command = program.commands.find((each) => each.name() === args[0]) ?? program
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return
    if (!NUMBER.test(arg)) continue
    const [flag = '', number] = arg.includes('=') ? arg.split('=', 2) : [args[at - 1], arg]
    const option = command.options.find(({ long, short }) => flag === long || flag === short)
    const name = option?.attributeName() ?? ''
    if (!isSettingName(name)) continue
    const unit = args.slice(at + 1, args[at + 1] === 'per' ? at + 3 : at + 2).join(' ')
    const meant = likelyQuantities(`${number} ${unit}`).find((each) => accepts(name, each))
    if (unit === '' || meant === undefined) continue
    const separator = arg.includes('=') ? '=' : ' '
    const typed = `${flag}${separator}${number} ${unit}`
    program.error(`${typed}: did you mean ${flag}${separator}${meant}?`)
  }
}
