import { nearName } from '../near-name.ts'
import { replaceControls } from '../printable-text.ts'
import { dataTexts } from './data-texts.ts'
import { VISIT_COLUMNS } from './visit-columns.ts'
import type { VisitFields } from './visit-record.ts'

/** Returns a part of a line; undefined for a field that a visit lacks. */
type LinePart = (visit: VisitFields) => string | undefined

/** Stands for a field that a visit lacks, so that lines have the same number of words. */
const ABSENT = '-'
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['{{', '{'],
  ['}}', '}'],
])
/** Escapes, fields, and text between them; a brace or backslash that is left over is a mistake. */
const TOKEN = /\{\{|\}\}|\\.|\{[^{}]*\}|[^{}\\]+|[{}\\]/gsu

const READERS: ReadonlyMap<string, LinePart> = new Map([
  ...Object.entries(VISIT_COLUMNS).map(([name, read]): [string, LinePart] => [
    name,
    (visit) => read(visit)?.toString(),
  ]),
  ['error.code', ({ error }) => error?.code],
  ['error.message', ({ error }) => error?.message],
])

/** Returns what was expected instead of a part of the template; undefined if it is valid. */
export function problemInTemplate(template: string): string | undefined {
  return tokensIn(template)
    .map(problemInToken)
    .find((problem) => problem !== undefined)
}

/** Returns the names behind `data.` in a valid template. */
export function dataFieldsIn(template: string): string[] {
  const names = tokensIn(template).map((token) => /^\{data\.(.+)\}$/su.exec(token)?.[1])
  return names.filter((name) => name !== undefined)
}

/**
 * Compiles a template such as `{status} {url}` for lines of visits. Its fields are those of the
 * record by name, and those of `data` as `data.name`.
 */
export function compileTemplate(template: string): (visit: VisitFields) => string {
  const parts = tokensIn(template).map(partOf)
  return (visit) => `${parts.map((part) => part(visit)).join('')}\n`
}

function tokensIn(template: string): string[] {
  return template.match(TOKEN) ?? []
}

function problemInToken(token: string): string | undefined {
  if (ESCAPES.has(token) || !/^[{}\\]/.test(token)) return undefined
  if (token.startsWith('\\')) return 'one of \\t, \\n and \\\\ for each backslash'
  if (token.length === 1) return `a field such as {url} for each brace, or ${token}${token} for it`
  const name = token.slice(1, -1)
  if (readerOf(name) !== undefined) return undefined
  const near = nearName(name, [...READERS.keys()])
  const advice = near === undefined ? '' : ` (did you mean {${near}}?)`
  return `a field of the record, such as {url}, for ${token}${advice}`
}

function partOf(token: string): (visit: VisitFields) => string {
  const read = readerOf(token.slice(1, -1))
  if (ESCAPES.has(token) || !token.startsWith('{') || read === undefined) {
    const text = ESCAPES.get(token) ?? replaceControls(token)
    return () => text
  }
  return (visit) => replaceControls(read(visit) ?? ABSENT)
}

function readerOf(name: string): LinePart | undefined {
  if (!name.startsWith('data.')) return READERS.get(name)
  const path = name.slice('data.'.length)
  return ({ dataJson }) => dataTexts(dataJson, [path])[0]
}
