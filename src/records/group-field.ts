/** A field inside a group of `data`. */
export interface GroupField {
  /** Name of the group in `data`. */
  readonly group: string
  readonly name: string
  /** True if the group is a list of such groups. */
  readonly isList: boolean
}

/** Returns the elements of a list in a record's parsed `data`; none if there is no such list. */
export function elementsOf(data: unknown, list: string): readonly unknown[] {
  const value = fieldOf(data, list)
  return Array.isArray(value) ? value : []
}

/** Returns a field of a group, or of a record's parsed `data`. */
export function fieldOf(group: unknown, name: string): unknown {
  if (typeof group !== 'object' || group === null) return undefined
  return new Map<string, unknown>(Object.entries(group)).get(name)
}
