import { didYouMean, nearName } from '../near-name.ts'
import { replaceControls, textOnOneLine } from '../printable-text.ts'
import { textOf } from './data-texts.ts'
import { elementsOf, fieldOf, type GroupField } from './group-field.ts'
import { dataFieldOf, VISIT_COLUMNS } from './visit-columns.ts'
import type { VisitFields } from './visit-record.ts'

/**
 * Returns a part of a line; undefined for a field that a visit lacks.
 * @param data the parsed `data` of the visit
 * @param element element of the list, if the template makes a line for each element
 */
type LinePart = (visit: VisitFields, data: unknown, element: unknown) => string | undefined
/** Fields of groups by the names `group.field`. */
type GroupFields = ReadonlyMap<string, GroupField>

const NO_GROUPS: GroupFields = new Map()

/** Text for a field that a visit lacks. It keeps the number of words in all lines the same. */
const ABSENT = '-'
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\t', '\t'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['{{', '{'],
  ['}}', '}'],
])
/** Pattern of escapes, fields, and the text between them. A single brace or backslash is a mistake. */
const TOKEN = /\{\{|\}\}|\\.|\{[^{}]*\}|[^{}\\]+|[{}\\]/gsu

const READERS: ReadonlyMap<string, LinePart> = new Map([
  ...Object.entries(VISIT_COLUMNS).map(([name, read]): [string, LinePart] => [
    name,
    (visit) => read(visit)?.toString(),
  ]),
  ['error.code', ({ error }) => error?.code],
  ['error.message', ({ error }) => error?.message],
])

/**
 * Returns a text that says what was expected instead of an invalid part; undefined if the template is
 * valid.
 */
export function problemInTemplate(template: string): string | undefined {
  const tokens = tokensIn(template)
  const problem = tokens.map(problemInToken).find((each) => each !== undefined)
  if (problem !== undefined) return problem
  const hasField = tokens.some((token) => token.startsWith('{') && !ESCAPES.has(token))
  return hasField ? undefined : 'at least one field such as {url}'
}

/** Returns the names after `data.` in a valid template. */
export function dataFieldsIn(template: string): string[] {
  const names = tokensIn(template).map((token) => /^\{data\.(.+)\}$/su.exec(token)?.[1])
  return names.filter((name) => name !== undefined)
}

/** Returns the names of the lists whose fields a template uses. */
export function listsIn(template: string, groups: GroupFields): string[] {
  const fields = dataFieldsIn(template).map((name) => groups.get(name))
  return [...new Set(fields.flatMap((field) => (field?.isList === true ? [field.group] : [])))]
}

/**
 * Compiles a template such as `{status} {url}` to a function that returns the lines of a visit. Fields
 * of the record are named directly, fields of `data` as `data.name`, and fields of groups as
 * `data.group.name`. If the template uses fields of a list, a visit gets a line for each element of the
 * list.
 */
export function compileTemplate(
  template: string,
  groups: GroupFields = NO_GROUPS,
): (visit: VisitFields) => string {
  const parts = tokensIn(template).map((token) => partOf(token, groups))
  const line: LinePart = (...args) => `${parts.map((part) => part(...args)).join('')}\n`
  const hasData = dataFieldsIn(template).length > 0
  const [list] = listsIn(template, groups)
  return (visit) => {
    const data: unknown = hasData && visit.dataJson ? JSON.parse(visit.dataJson) : undefined
    const elements = list === undefined ? [undefined] : elementsOf(data, list)
    return elements.map((element) => line(visit, data, element)).join('')
  }
}

function tokensIn(template: string): string[] {
  return template.match(TOKEN) ?? []
}

function problemInToken(token: string): string | undefined {
  if (ESCAPES.has(token) || !/^[{}\\]/.test(token)) return undefined
  if (token.startsWith('\\')) return 'one of \\t, \\n and \\\\ for each backslash'
  if (token.length === 1) return `a field such as {url} for each brace, or ${token}${token} for it`
  const name = token.slice(1, -1)
  if (readerOf(name, NO_GROUPS) !== undefined) return undefined
  const near = nearName(name, [...READERS.keys()])
  const advice = didYouMean(near && `{${near}}`)
  return `a field of the record, such as {url} or {data.price}, for ${token}${advice}`
}

function partOf(token: string, groups: GroupFields): LinePart {
  const read = readerOf(token.slice(1, -1), groups)
  if (ESCAPES.has(token) || !token.startsWith('{') || read === undefined) {
    const text = ESCAPES.get(token) ?? replaceControls(token)
    return () => text
  }
  return (...args) => textOnOneLine(read(...args) ?? ABSENT)
}

function readerOf(name: string, groups: GroupFields): LinePart | undefined {
  const path = dataFieldOf(name)
  if (!path) return READERS.get(name)
  const field = groups.get(path)
  if (field === undefined) return (_, data) => textOf(fieldOf(data, path))
  if (field.isList) return (_, _data, element) => textOf(fieldOf(element, field.name))
  return (_, data) => textOf(fieldOf(fieldOf(data, field.group), field.name))
}
