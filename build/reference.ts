import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { EXIT_CODE, EXIT_MEANINGS } from '../src/cli/exit-code.ts'
import { fullName } from '../src/cli/help/format-help.ts'
import { SETTING_GROUPS, type SettingName, settingsIn, traitsOf } from '../src/config/schema.ts'
import type { Trust } from '../src/config/setting.ts'
import { type Property, readProperties } from './config-schema.ts'
import { fieldsOf, textsOf } from './interface-docs.ts'
import { wholeProgram } from './whole-program.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Returns the text of docs/reference.md, which is generated from the code. */
export async function reference(): Promise<string> {
  const program = await wholeProgram()
  const parts = [
    '# Reference',
    '`npm run docs` generates this page from the code, and a test compares them. [The index](README.md) lists the pages that',
    'explain the names in detail.\n',
    '## Command line\n',
    ...[program, ...program.commands].map(commandDoc),
    '## Settings\n',
    'These are the settings of a config file and of `crawl()`; [configuration](configuration.md) explains them. The column "found"',
    "shows whether a config file that `--config` doesn't name [may set it](configuration.md#a-file-found-in-the-working-directory).\n",
    ...SETTING_GROUPS.flatMap((group) => [`### ${group}\n`, settingTable(settingsIn(group))]),
    '## The visit record\n',
    interfaceDoc('src/records/visit.ts', 'Visit'),
    '## Error codes\n',
    `These are the values of \`error.code\` in a record ([errors](errors.md)): ${codes()}.\n`,
    '## Exit codes\n',
    table(['code', 'meaning'], exitRows()),
    '## Log fields\n',
    'The line for each worker, every `--log-interval` and at the end, has these fields:\n',
    interfaceDoc('src/crawl/stats/stats.ts', 'WorkerStats'),
    'The line for the crawl has these fields and `pagesPerSecond`; `crawl().stats()` returns them, too:\n',
    interfaceDoc('src/crawl/stats/stats.ts', 'Stats'),
    'The last line of the log, and the promise `finished`, also have these fields:\n',
    interfaceDoc('src/crawl/stats/stats.ts', 'Summary'),
    'The field `seen` of both has these fields:\n',
    interfaceDoc('src/seen/seen-set.ts', 'SeenStats'),
  ]
  return `${parts.join('\n').trim()}\n`
}

function exitRows(): string[][] {
  return Object.entries(EXIT_CODE).map(([name, code]) => {
    return [String(code), Object.entries(EXIT_MEANINGS).find(([each]) => each === name)?.[1] ?? '']
  })
}

function commandDoc(command: Command): string {
  const usage = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const given = command.registeredArguments.map((argument): [string, string] => [
    `\`${argument.name()}\``,
    argument.description,
  ])
  const visible = command.options.filter(({ hidden }) => !hidden)
  const options = visible.map((option): [string, string] => [
    `\`${option.flags}\``,
    option.description + shownDefault(option.defaultValue),
  ])
  return [
    `### \`${[fullName(command), ...usage].join(' ')}\`\n`,
    `${command.description()}\n`,
    table(['argument or option', 'meaning'], [...given, ...options]),
  ].join('\n')
}

/** Returns the default of an option. The descriptions of the command `crawl` itself already contain the defaults. */
function shownDefault(value: unknown): string {
  return typeof value === 'string' ? ` (${value})` : ''
}

function interfaceDoc(path: string, name: string): string {
  const rows = fieldsOf(read(path), name).map((field): [string, string, string] => [
    `\`${field.name}\`${field.isOptional ? '' : ', always'}`,
    `\`${field.type.replaceAll('readonly ', '')}\``,
    field.comment,
  ])
  return table(['field', 'type', 'meaning'], rows)
}

function codes(): string {
  const names = textsOf(read('src/records/error-code.ts'), 'ErrorCode')
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Words for the column "found": whether a config file that was found may set a setting, by the trust it needs. */
const FOUND: Readonly<Record<Trust, string>> = { any: 'yes', inside: 'inside', given: 'no' }

function settingTable(names: readonly SettingName[]): string {
  const properties = readProperties()
  const rows = names.map((name) => {
    const { trust, help, defaultText, flag } = traitsOf(name)
    const property = properties[name] ?? {}
    const preset = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``
    const flags = flag === undefined ? '' : `\`${flag}\``
    return [`\`${name}\``, valueOfType(property), defaultText ?? preset, flags, FOUND[trust], help]
  })
  return table(['setting', 'value', 'default', 'flag', 'found', 'meaning'], rows)
}

function valueOfType({ type, enum: values, items, anyOf }: Property): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(valueOfType))].join(' or ')
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  return items === undefined ? (type ?? '') : `list of: ${valueOfType(items)}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => `| ${row.map(escapeCell).join(' | ')} |`
  return `${[cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n')}\n`
}

/** Escapes characters that would end a cell, or begin an HTML tag outside of code. */
function escapeCell(text: string): string {
  const escaped = text.replaceAll('|', '\\|')
  return escaped.replace(/`[^`]*`|</g, (part) => (part === '<' ? '\\<' : part))
}
