import type { Command, Option } from 'commander'
import { findOption, optionNameIn } from './command-line.ts'

/**
 * Moves a subcommand to the front, so that options before it are its own: `crawl -d 3 check x` is `crawl check -d 3 x`.
 * The program would ignore them.
 */
export function commandFirst(program: Command, args: readonly string[]): readonly string[] {
  let at = 0
  while (args[at]?.startsWith('-')) {
    const [arg = '', next = ''] = args.slice(at)
    const isHelp = /^(?:-h|--help)$/.test(arg)
    const [option, hasValue] = /^-[^-]/.test(arg)
      ? lastOfCluster(program, arg)
      : [findOption(program, optionNameIn(arg)), arg.includes('=')]
    if (!isHelp && (option === undefined || option.long === '--version')) return args
    const takesNext = option?.required || (option?.optional && !next.startsWith('-'))
    at += takesNext && !hasValue ? 2 : 1
  }
  const name = args[at]
  const isCommand = program.commands.some((command) => command.name() === name)
  return name === undefined || !isCommand
    ? args
    : [name, ...args.slice(0, at), ...args.slice(at + 1)]
}

/** Returns the last option of a word such as `-qd3`, and whether its value is in the word; undefined if one is unknown. */
function lastOfCluster(program: Command, word: string): [option: Option | undefined, boolean] {
  let option: Option | undefined
  for (let at = 1; at < word.length; at++) {
    option = findOption(program, `-${word[at]}`)
    if (option === undefined || option.long === '--version') break
    if (option.required || option.optional) return [option, at + 1 < word.length]
  }
  return [option, false]
}
