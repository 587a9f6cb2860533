import type { GroupField } from '../records/group-field.ts'

/** A named value to extract from pages. */
export interface Field {
  readonly name: string
  /** A CSS selector. Within a group, an empty selector selects the element of the group. */
  readonly selector: string
  /** The attribute to extract; undefined to extract the text. */
  readonly attribute?: string
  /** The fields of a group, which are selected inside each match. */
  readonly fields?: readonly Field[]
  /** True to extract all matches, not only the first. */
  readonly isList: boolean
}

const NAME = '[^\\s=[\\](){}<>*+,"\'\\\\\\p{Cc}]{1,100}(?:\\[\\])?'
/** Valid names of fields. A name that ends with `[]` extracts a list. */
export const FIELD_NAME = new RegExp(`^${NAME}$`, 'u')

/** An attribute at the end of a selector. Inside a selector, an `@` must be in quotes. */
const ATTRIBUTE = /@([^\s@"'\]()=>]{1,100})$/
/** The fields of a group, after its selector. */
const GROUP = /\{([^{}]*)\}$/
/** The separator of two fields of a group. Other commas belong to a selector. */
const BETWEEN_FIELDS = new RegExp(`,\\s*(?=${NAME}\\s*=)`, 'u')

/**
 * Parses `selector`, `selector@attribute` or `selector{name=selector, …}`.
 * @param written the name, with `[]` at its end for a list
 */
export function parseField(written: string, source: string): Field {
  const [end = '', group] = GROUP.exec(source) ?? ATTRIBUTE.exec(source) ?? []
  return {
    name: fieldName(written),
    selector: source.slice(0, source.length - end.length).trim(),
    ...(end.startsWith('@') && group !== undefined && { attribute: group.toLowerCase() }),
    ...(end.startsWith('{') && { fields: fieldsOfGroup(group ?? '') }),
    isList: written.endsWith('[]'),
  }
}

/** Returns the name of a field in `data`, without `[]`. */
export function fieldName(written: string): string {
  return written.replace(/\[\]$/, '')
}

/** Returns whether a field can be extracted. @param isSelector returns whether a text is a valid selector */
export function isValidField(field: Field, isSelector: (text: string) => boolean): boolean {
  const { selector, fields } = field
  if (!isSelector(selector)) return false
  return fields === undefined || (fields.length > 0 && fields.every((each) => isPart(each)))

  function isPart(part: Field): boolean {
    const isOwn = part.selector === '' && part.attribute !== undefined
    return FIELD_NAME.test(part.name) && (isOwn || isSelector(part.selector))
  }
}

/** Returns whether all fields have different names. */
export function haveOwnNames(fields: readonly Field[]): boolean {
  return new Set(fields.map(({ name }) => name)).size === fields.length
}

function fieldsOfGroup(group: string): Field[] {
  return group.split(BETWEEN_FIELDS).map((each) => {
    const at = each.indexOf('=')
    return parseField(each.slice(0, Math.max(at, 0)).trim(), each.slice(at + 1).trim())
  })
}

/** Parses fields, in their order. @param sources the selectors, by field name */
export function fieldsOf(sources: Readonly<Record<string, string>>): Field[] {
  return Object.entries(sources).map(([name, source]) => parseField(name, source))
}

/** Returns the fields of groups by the names `group.field`, without names that are also those of a field. */
export function groupFieldsOf(sources: Readonly<Record<string, string>>): Map<string, GroupField> {
  const all = fieldsOf(sources)
  const named = new Set(all.map(({ name }) => name))
  const parts = all.flatMap(({ name: group, fields = [], isList }) =>
    fields.map(({ name }): [string, GroupField] => [`${group}.${name}`, { group, name, isList }]),
  )
  return new Map(parts.filter(([name]) => !named.has(name)))
}

/** Returns the names of all fields of `data` that settings name. */
export function namedFieldsOf({
  extract = {},
  responseHeaders = [],
}: {
  readonly extract?: Readonly<Record<string, string>> | undefined
  readonly responseHeaders?: readonly string[] | undefined
}): string[] {
  return [...new Set([...Object.keys(extract).map(fieldName), ...responseHeaders])]
}
