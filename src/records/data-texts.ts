/**
 * Splits a record's `data` into the named fields and the others.
 * @returns the texts of the named fields, and the JSON of the others; undefined if absent
 */
export function splitData(
  json: string | undefined,
  names: readonly string[],
): { readonly texts: (string | undefined)[]; readonly others: string | undefined } {
  if (json === undefined || names.length === 0)
    return { texts: dataTexts(json, names), others: json }
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(json)))
  const texts = names.map((name) => textOf(fields.get(name)))
  for (const name of names) fields.delete(name)
  return { texts, others: fields.size === 0 ? undefined : textOf(Object.fromEntries(fields)) }
}

/**
 * Returns fields of a record's `data` by name: texts as they are, and other values as JSON. A field that
 * is absent is undefined.
 * @param json the data; undefined if the record has none
 */
export function dataTexts(
  json: string | undefined,
  names: readonly string[],
): (string | undefined)[] {
  if (json === undefined) return names.map(() => undefined)
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(json)))
  return names.map((name) => textOf(fields.get(name)))
}

/** Returns a text as it is, and another value as JSON. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return undefined // The site nested it too deeply for the stack.
  }
}
