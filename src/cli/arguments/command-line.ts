import type { Command, Option } from 'commander'

/** Returns the command in the arguments, which comes first, or the program itself. */
export function typedCommand(program: Command, [name]: readonly string[]): Command {
  return program.commands.find((command) => command.name() === name) ?? program
}

/** Returns the option of a command with a long or short name; undefined if there is none. */
export function findOption({ options }: Command, name: string): Option | undefined {
  return options.find(({ long, short }) => name === long || name === short)
}

/** Returns the arguments before `--`. Arguments after it are never options. */
export function beforeSeparator(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}

/** Returns an option without `=` and the value after it. */
export function optionNameIn(arg: string): string {
  return arg.split('=', 1)[0] ?? ''
}
