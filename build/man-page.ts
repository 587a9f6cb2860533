import { readFileSync } from 'node:fs'
import type { Command, Option } from 'commander'
import { numbersOf } from './interface-docs.ts'
import { wholeProgram } from './whole-program.ts'

/** The man page of the program, in the macros of man(7): what the command line says of itself. */
export async function manPage(): Promise<string> {
  const program = await wholeProgram()
  const seeAlso = 'The pages under docs/ of the package tell the rest.'
  const lines = [
    '.TH CRAWL 1',
    ...['.SH NAME', `crawl \\- ${roff('a multi-threaded web crawler for the command line')}`],
    ...['.SH SYNOPSIS', ...[program, ...program.commands].flatMap((each) => usage(each, program))],
    ...['.SH DESCRIPTION', roff(program.description())],
    ...program.registeredArguments.flatMap((each) => tagged(each.name(), each.description)),
    ...optionLines(program, (group) => `.SH ${roff(group.toUpperCase())}`),
    '.SH COMMANDS',
    ...program.commands.flatMap(commandLines),
    ...['.SH EXIT STATUS', ...exitCodes().flatMap(([code, text]) => tagged(code, text))],
    ...['.SH SEE ALSO', roff(seeAlso)],
  ]
  return `${lines.join('\n')}\n`
}

function exitCodes(): [code: string, comment: string][] {
  const source = readFileSync(new URL('../src/cli/exit-code.ts', import.meta.url), 'utf8')
  return numbersOf(source, 'EXIT_CODE')
}

function usage(command: Command, program: Command): string[] {
  const name = command === program ? 'crawl' : `crawl ${command.name()}`
  return [`.B ${roff(name)}`, roff(command.usage()), '.br']
}

function commandLines(command: Command): string[] {
  return [
    `.SS crawl ${roff(command.name())}`,
    roff(command.description()),
    ...command.registeredArguments.flatMap((each) => tagged(each.name(), each.description)),
    ...optionLines(command, (group) => `.P\n.I ${roff(group)}`),
  ]
}

/** @param heading what stands above a group of options */
function optionLines(command: Command, heading: (group: string) => string): string[] {
  const help = command.createHelp()
  const groups = Map.groupBy(help.visibleOptions(command), ({ helpGroupHeading }) =>
    (helpGroupHeading ?? 'Options:').replace(/:$/, ''),
  )
  return [...groups].flatMap(([group, options]) => [heading(group), ...options.flatMap(optionLine)])
}

function optionLine({ flags, description, defaultValue }: Option): string[] {
  const shown = typeof defaultValue === 'string' ? ` (${defaultValue})` : ''
  return tagged(flags, description + shown)
}

function tagged(tag: string, text: string): string[] {
  return ['.TP', `.B ${roff(tag)}`, roff(text)]
}

/** A text as roff takes it: nothing in it is a request, and its hyphens can be copied. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
