/**
 * Returns fields of a record's `data` by name: a text as it is, and other values as JSON; undefined
 * for one that is absent.
 * @param json the data; undefined when the record has none
 */
export function dataTexts(
  json: string | undefined,
  names: readonly string[],
): (string | undefined)[] {
  if (json === undefined) return names.map(() => undefined)
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(json)))
  return names.map((name) => textOf(fields.get(name)))
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return undefined // a site nested it more deeply than the stack is high
  }
}
