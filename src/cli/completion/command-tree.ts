import type { Command, Option } from 'commander'

/** An option that can be typed. */
export interface OptionWords {
  readonly short?: string
  readonly long: string
  /** Kind of its value; absent without one. */
  readonly value?: 'file' | 'directory' | 'text'
  readonly description: string
}

/** Words that can follow a command. */
export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** Choices for its first argument, if that takes one of a few words. */
  readonly choices: readonly string[]
  /** URLs follow it, not files. */
  readonly takesUrls: boolean
  readonly commands: readonly CommandWords[]
}

/** Returns the words of a command line, from the program that parses it. */
export function commandWords(command: Command): CommandWords {
  const help = command.createHelp()
  const [first] = command.registeredArguments
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).flatMap(optionWords),
    choices: first?.argChoices ?? [],
    takesUrls: first?.name().includes('url') === true,
    commands: command.commands.map(commandWords),
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
