import type { Command, Option } from 'commander'
import { COMMAND_PAGES, type Explained } from '../src/cli/help/command-pages.ts'
import { docsUrl, exitCodesOf, fullName } from '../src/cli/help/format-help.ts'
import { wholeProgram } from './whole-program.ts'

/** Returns the man pages of the program and of its commands, written in the macros of man(7), by file name. */
export async function manPages(): Promise<Map<string, string>> {
  const program = await wholeProgram()
  const commands = [program, ...program.commands]
  return new Map(commands.map((command) => [`${pageName(command)}.1`, manPage(command)]))
}

function manPage(command: Command): string {
  const page = COMMAND_PAGES[command.name()]
  if (page === undefined) throw new Error(`${command.name()} has no page`)
  const lines = [
    `.TH ${pageName(command).toUpperCase()} 1`,
    ...['.SH NAME', `${roff(pageName(command))} \\- ${roff(purposeOf(command))}`],
    ...['.SH SYNOPSIS', ...synopsis(command)],
    ...['.SH DESCRIPTION', roff(command.description())],
    ...command.registeredArguments.flatMap((each) => tagged(each.name(), each.description)),
    ...section('COMMANDS', command.commands.map(inManual)),
    ...optionLines(command),
    ...section('EXAMPLES', page.examples),
    ...section('EXIT STATUS', exitCodesOf(page)),
    ...section('FILES', page.files),
    ...section('ENVIRONMENT', page.environment),
    // Without adjustment, since the address may be too long for a line.
    ...['.SH SEE ALSO', '.ad l', ...seeAlso(command), roff(docsUrl(page.docs))],
  ]
  return `${lines.join('\n')}\n`
}

/** Returns `crawl` or `crawl-check`. */
function pageName(command: Command): string {
  return fullName(command).replace(' ', '-')
}

function purposeOf(command: Command): string {
  return command.parent === null
    ? 'a multi-threaded web crawler for the command line'
    : command.description().replace(/\.$/, '')
}

function synopsis(command: Command): string[] {
  const name = `.B ${roff(fullName(command))}`
  const commands = command.parent === null ? ['.br', name, roff('<command> [options]')] : []
  return [name, roff(command.usage()), ...commands]
}

function inManual(command: Command): Explained {
  return [`${pageName(command)}(1)`, command.description()]
}

function optionLines(command: Command): string[] {
  const visible = command.createHelp().visibleOptions(command)
  const groups = Map.groupBy(visible, ({ helpGroupHeading }) =>
    (helpGroupHeading ?? 'Options:').replace(/:$/, ''),
  )
  return [...groups].flatMap(([group, options]) =>
    section(group.toUpperCase(), options.map(inWords)),
  )
}

function inWords({ flags, description, defaultValue }: Option): Explained {
  return [flags, description + (typeof defaultValue === 'string' ? ` (${defaultValue})` : '')]
}

function seeAlso(command: Command): string[] {
  const { parent } = command
  const others = parent === null ? command.commands : [parent, ...parent.commands]
  return others.filter((each) => each !== command).map((each) => `.BR ${roff(pageName(each))} (1),`)
}

function section(heading: string, items: readonly Explained[]): string[] {
  if (items.length === 0) return []
  return [`.SH ${roff(heading)}`, ...items.flatMap(([term, meaning]) => tagged(term, meaning))]
}

function tagged(tag: string, text: string): string[] {
  return ['.TP', `.B ${roff(tag)}`, roff(text)]
}

/** Escapes a text for roff: no line of it is read as a request, and its hyphens can be copied. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped
}
