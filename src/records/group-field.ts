/** A field inside a group of `data`. */
export interface GroupField {
  /** Name of the group in `data`. */
  readonly group: string
  readonly name: string
  /** True if the group is a list of such groups. */
  readonly isList: boolean
}

/** Returns the elements of a list in a record's `data`; none if there is no such list. */
export function elementsOf(json: string | undefined, list: string): readonly unknown[] {
  const value = dataField(json, list)
  return Array.isArray(value) ? value : []
}

/** Returns a field of a record's `data`. */
export function dataField(json: string | undefined, name: string): unknown {
  return json === undefined ? undefined : fieldOf(JSON.parse(json), name)
}

/** Returns a field of a group. */
export function fieldOf(group: unknown, name: string): unknown {
  if (typeof group !== 'object' || group === null) return undefined
  return new Map<string, unknown>(Object.entries(group)).get(name)
}
