import type { Argument, Command, Option } from 'commander'
import { ListedArgument, ListedOption } from '../options/option-choices.ts'

/** The kind of a value: `state` is a directory of --state, `job` the name of a job in Redis. */
type ValueKind = 'file' | 'directory' | 'state' | 'job' | 'url' | 'text'

/** The values of an option or argument. */
export interface ValueWords {
  readonly kind: ValueKind
  /** All possible values, if there are only a few. */
  readonly values: readonly string[]
}

/** An option that can be typed. */
export interface OptionWords {
  readonly short?: string
  readonly long: string
  /** Absent if the option takes no value. */
  readonly value?: ValueWords
  readonly description: string
}

/** Words that can follow a command. */
export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** The kinds of its arguments; the last argument may be repeated. */
  readonly args: readonly ValueWords[]
  readonly commands: readonly CommandWords[]
}

/** Kinds by the name of an argument, or of an option's value. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  file: 'file',
  visits: 'file',
  before: 'file',
  after: 'file',
  dir: 'directory',
  url: 'url',
  'seed-url': 'url',
}
/** Kinds of options that the name of their value doesn't show. */
const OPTION_KINDS: Readonly<Record<string, ValueKind>> = {
  '--state': 'state',
  '--job': 'job',
  '--browser': 'file',
}

/** Returns the words of a command line, from the program that parses it. */
export function commandWords(command: Command): CommandWords {
  const help = command.createHelp()
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).flatMap(optionWords),
    args: command.registeredArguments.map((argument) => argumentWords(argument, command)),
    commands: command.commands.map(commandWords),
  }
}

/** Returns the forms in which an option can be typed. */
export function spellings({ short, long }: OptionWords): string[] {
  return short === undefined ? [long] : [short, long]
}

function optionWords(option: Option): OptionWords[] {
  const { short, long, flags, description, required, optional } = option
  if (long === undefined || long === null) return []
  const words = { long, description, ...(short && { short }) }
  if (!required && !optional) return [words]
  const [, name = ''] = /[<[]([\w-]+)/.exec(flags) ?? []
  const kind = OPTION_KINDS[long] ?? KINDS[name] ?? 'text'
  return [
    { ...words, value: { kind, values: option instanceof ListedOption ? option.values : [] } },
  ]
}

function argumentWords(argument: Argument, command: Command): ValueWords {
  const values = argument instanceof ListedArgument ? argument.values : []
  const name = argument.name()
  if (name === 'command') {
    return { kind: 'text', values: command.parent?.commands.map((each) => each.name()) ?? [] }
  }
  if (name === 'dir') return { kind: 'state', values }
  if (name === 'name' && command.name() === 'job') return { kind: 'job', values }
  return { kind: KINDS[name] ?? 'text', values }
}
