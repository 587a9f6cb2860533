import { absoluteUrl } from './absolute-url.ts'
import type { Field } from './field.ts'
import { htmlTree } from './html-tree.ts'
import type { TextBudget } from './text-budget.ts'

/** Elements in the list of one field. */
const MAX_VALUES = 10_000
/** Attributes that hold one URL, by the HTML standard's index of attributes. */
const URL_ATTRIBUTES = new Set('action cite data formaction href manifest poster src'.split(' '))

type Tree = ReturnType<typeof htmlTree>
type Matched = ReturnType<Tree>
type Value = string | readonly string[]

/**
 * Returns what the fields select: texts, or lists of them. A field without a match has no entry; a list may be empty.
 * @param base the base of the page's URLs
 */
export function selectFields(
  html: string,
  fields: readonly Field[],
  base: string,
  budget: TextBudget,
): Record<string, Value> {
  const tree = htmlTree(html)
  const entries = fields.flatMap((field): [string, Value][] => {
    const value = fieldValue(field, tree(field.selector), base, budget)
    return value === undefined ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}

function fieldValue(
  field: Field,
  matched: Matched,
  base: string,
  budget: TextBudget,
): Value | undefined {
  if (!field.isList) return textOf(field, matched.first(), base, budget)
  if (matched.length > MAX_VALUES) budget.isExceeded = true
  const texts: string[] = []
  for (let index = 0; index < Math.min(matched.length, MAX_VALUES); index++) {
    const text = textOf(field, matched.eq(index), base, budget)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function textOf({ attribute }: Field, element: Matched, base: string, budget: TextBudget) {
  if (element.length === 0) return undefined
  if (attribute === undefined) return budget.take(element.text().replace(/\s+/g, ' ').trim())
  const value = element.attr(attribute)
  if (value === undefined) return undefined
  return budget.take(URL_ATTRIBUTES.has(attribute) ? absoluteUrl(value, base) : value)
}
