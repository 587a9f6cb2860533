import { absoluteUrl } from './absolute-url.ts'
import { elementText } from './element-text.ts'
import type { Field } from './field.ts'
import { htmlTree } from './html-tree.ts'
import type { TextBudget } from './text-budget.ts'

/** Maximum number of elements in the list of one field. */
const MAX_VALUES = 10_000
/** Attributes whose value is one URL, according to the HTML standard's index of attributes. */
const URL_ATTRIBUTES = new Set('action cite data formaction href manifest poster src'.split(' '))

type Tree = ReturnType<typeof htmlTree>
type Matched = ReturnType<Tree>
type Value = string | FieldGroup | readonly (string | FieldGroup)[]
/** The values of a group's fields in one element. */
interface FieldGroup {
  readonly [name: string]: Value
}

/** Called with the index of each field, the number of its matches, and whether they have a value. */
export type OnField = (field: number, matches: number, hasValue: boolean) => void

/**
 * Returns the values of fields: texts, groups, or lists of them. A field without a match has no entry; a list may be
 * empty.
 * @param base the base of the page's URLs
 */
export function selectFields(
  html: string,
  fields: readonly Field[],
  base: string,
  budget: TextBudget,
  onField: OnField = () => {},
): Record<string, Value> {
  const tree = htmlTree(html)
  return valuesOf(fields, { base, budget, onField }, (selector) => tree(selector))
}

/** The base of URLs, the limit of the values' text, and the callback of a selection. */
interface FieldSelection {
  readonly base: string
  readonly budget: TextBudget
  readonly onField: OnField
}

function valuesOf(
  fields: readonly Field[],
  selection: FieldSelection,
  select: (selector: string) => Matched,
): Record<string, Value> {
  const entries = fields.flatMap((field, at): [string, Value][] => {
    const matched = select(field.selector)
    const value = fieldValue(field, matched, selection)
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    selection.onField(at, matched.length, !isEmpty)
    return value === undefined ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}

function fieldValue(field: Field, matched: Matched, selection: FieldSelection): Value | undefined {
  if (!field.isList) return valueIn(field, matched.first(), selection)
  if (matched.length > MAX_VALUES) selection.budget.isExceeded = true
  const values: (string | FieldGroup)[] = []
  for (let index = 0; index < Math.min(matched.length, MAX_VALUES); index++) {
    if (selection.budget.isSpent) {
      selection.budget.isExceeded = true
      break
    }
    const value = valueIn(field, matched.eq(index), selection)
    if (value !== undefined) values.push(value)
  }
  return values
}

/** Returns the value of one element. */
function valueIn(
  field: Field,
  element: Matched,
  selection: FieldSelection,
): string | FieldGroup | undefined {
  const { fields } = field
  if (element.length === 0) return undefined
  if (fields === undefined) return textOf(field, element, selection)
  return valuesOf(fields, { ...selection, onField() {} }, (selector) =>
    selector === '' ? element : element.find(selector),
  )
}

function textOf({ attribute }: Field, element: Matched, { base, budget }: FieldSelection) {
  if (attribute === undefined) return budget.take(element.toArray().map(elementText).join(''))
  const value = element.attr(attribute) ?? foreignAttribute(element, attribute)
  if (value === undefined) return undefined
  return budget.take(URL_ATTRIBUTES.has(attribute) ? absoluteUrl(value, base) : value)
}

/**
 * Returns the value of an attribute whose name the tree writes otherwise: in SVG and MathML, some names have capitals, as
 * `viewBox` has, and `xlink:href` is without its prefix.
 * @param name lower case
 */
function foreignAttribute(element: Matched, name: string): string | undefined {
  const [node] = element.toArray()
  const prefixes = (node && 'x-attribsPrefix' in node && node['x-attribsPrefix']) || {}
  const named = Object.entries(element.attr() ?? {}).find(([each]) => {
    const prefix = prefixes[each] ?? ''
    return (prefix === '' ? each : `${prefix}:${each}`).toLowerCase() === name
  })
  return named?.[1]
}
