/**
 * Splits a record's `data` into the named fields and the others.
 * @returns the texts of the named fields, and the JSON of the others; undefined if absent
 */
export function splitData(
  json: string | undefined,
  names: readonly string[],
): { readonly texts: (string | undefined)[]; readonly others: string | undefined } {
  if (json === undefined || names.length === 0)
    return { texts: names.map(() => undefined), others: json }
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(json)))
  const texts = names.map((name) => textOf(fields.get(name)))
  for (const name of names) fields.delete(name)
  return { texts, others: fields.size === 0 ? undefined : textOf(Object.fromEntries(fields)) }
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
