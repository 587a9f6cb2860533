import type { Command } from 'commander'
import { longFlagOf } from '../config/describe-config-errors.ts'
import { settingsWith } from '../config/schema.ts'
import { nearName } from '../near-name.ts'

/** Returns commander's message as one line: what is wrong, what may be meant, and where help is. */
export function describeUsageError(
  text: string,
  program: Command,
  args: readonly string[],
): string {
  const command = program.commands.find((each) => each.name() === args[0])
  const wrong = text.replace(/^error: /, '').trimEnd()
  const help = ['crawl', ...(command === undefined ? [] : [command.name()]), '--help'].join(' ')
  return `crawl: ${wrong}${suggestionFor(wrong, command ?? program)} (${help} shows more)\n`
}

/** Returns which option was meant by an unknown one, if one is near, or has that name in another program. */
function suggestionFor(message: string, command: Command): string {
  const [, typed] = /^unknown option '(--?[\w-]+)/.exec(message) ?? []
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
