import type { Command } from 'commander'
import { likelyQuantities } from '../../config/likely-quantity.ts'
import { accepts, isSettingName } from '../../config/schema.ts'
import { beforeSeparator, findOption, optionNameIn, typedCommand } from './command-line.ts'
import { EQUIVALENT_OPTIONS } from './other-programs.ts'

/** Ends with an error if commander would read an argument differently from what the user probably meant. */
export function refuseMistypedArguments(program: Command, args: readonly string[]): void {
  refuseSingleDashes(program, args)
  refuseTypographicDashes(program, args)
  refuseSplitQuantities(program, args)
}

/**
 * Ends with an error if a long option has only one dash, or a short option has `=` before its value.
 * Otherwise `-depth` would mean `-d epth`, and `-o=a.csv` would write a file named `=a.csv`.
 */
function refuseSingleDashes(program: Command, args: readonly string[]): void {
  const names = optionNames(program, args)
  for (const arg of beforeSeparator(args)) {
    const [, short = ''] = /^(-[A-Za-z])=/.exec(arg) ?? []
    // The value may be a secret.
    if (names.includes(short)) program.error(`${short}: expected a space behind it, got =`)
    const isLong = arg.startsWith('-') && names.includes(`-${optionNameIn(arg)}`)
    const isOfOther = /^-\w\w/.test(arg) && Object.hasOwn(EQUIVALENT_OPTIONS, arg)
    if (isLong || isOfOther) program.error(`unknown option '${optionNameIn(arg)}'`)
  }
}

/** Hyphens and dashes that text processors put in place of `-` and `--`. */
const DASHES = /^[\u2010-\u2015\u2212]+-?/

/** Ends with an error if an option begins with a dash of a text processor: `–depth` would be a seed. */
function refuseTypographicDashes(program: Command, args: readonly string[]): void {
  const names = optionNames(program, args)
  for (const arg of beforeSeparator(args)) {
    if (!DASHES.test(arg)) continue
    const name = optionNameIn(arg).replace(DASHES, '')
    const meant = [`--${name}`, `-${name}`].find((each) => names.includes(each))
    if (meant === undefined) continue
    program.error(`${optionNameIn(arg)}: did you mean ${meant}, with hyphens in place of the dash?`)
  }
}

/** A number as the value of an option, with `=` or as the next word. */
const NUMBER = /^(?:--[\w-]+=)?\d+(?:\.\d+)?$/

/** Ends with an error if a space separates a unit from its number: the `ms` of `--delay 500 ms` would be a seed. */
function refuseSplitQuantities(program: Command, args: readonly string[]): void {
  const command = typedCommand(program, args)
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return
    if (!NUMBER.test(arg)) continue
    const [flag = '', number] = arg.includes('=') ? arg.split('=', 2) : [args[at - 1], arg]
    const name = findOption(command, flag)?.attributeName() ?? ''
    if (!isSettingName(name)) continue
    const unit = args.slice(at + 1, args[at + 1] === 'per' ? at + 3 : at + 2).join(' ')
    const meant = likelyQuantities(`${number} ${unit}`).find((each) => accepts(name, each))
    if (unit === '' || meant === undefined) continue
    const separator = arg.includes('=') ? '=' : ' '
    const typed = `${flag}${separator}${number} ${unit}`
    program.error(`${typed}: did you mean ${flag}${separator}${meant}?`)
  }
}

/** Returns the long and short names of the options of the command in the arguments. */
function optionNames(program: Command, args: readonly string[]): string[] {
  const { options } = typedCommand(program, args)
  return options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat())
}
