import type { Command, Option } from 'commander'

/** What may be typed as an option. */
export interface OptionWords {
  readonly short?: string
  readonly long: string
  /** What its value is; absent when it has none. */
  readonly value?: 'file' | 'directory' | 'text'
  readonly description: string
}

/** What may be typed after a command. */
export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** What may be its first argument, where that is one of a few words. */
  readonly choices: readonly string[]
  /** Whether URLs follow it, and no files. */
  readonly takesUrls: boolean
  readonly commands: readonly CommandWords[]
}

/** The words of a command line, from the program that parses it. */
export function wordsOf(command: Command): CommandWords {
  const help = command.createHelp()
  const [first] = command.registeredArguments
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).flatMap(optionWords),
    choices: first?.argChoices ?? [],
    takesUrls: first?.name().includes('url') === true,
    commands: command.commands.map(wordsOf),
  }
}

function optionWords({
  short,
  long,
  flags,
  description,
  required,
  optional,
}: Option): OptionWords[] {
  if (long === undefined || long === null) return []
  const words = { long, description, ...(short && { short }) }
  if (!required && !optional) return [words]
  const kind = /[<[]file/.test(flags) ? 'file' : /[<[]dir/.test(flags) ? 'directory' : 'text'
  return [{ ...words, value: kind }]
}
