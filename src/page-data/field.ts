/** A named value to extract from pages. */
export interface Field {
  readonly name: string
  /** A CSS selector. */
  readonly selector: string
  /** The attribute to extract; without one, the text. */
  readonly attribute?: string
  /** True to extract all matches, not only the first. */
  readonly isList: boolean
}

/** Names that a field may have; `[]` behind it asks for a list. */
export const FIELD_NAME = /^[^\s=[\]"'\\\p{Cc}]{1,100}(?:\[\])?$/u

/** An attribute at the end of a selector. Inside of a selector an `@` stands in quotes. */
const ATTRIBUTE = /@([^\s@"'\]()=>]{1,100})$/

/**
 * Reads `selector` or `selector@attribute`.
 * @param written the name, with `[]` at its end for a list
 */
export function parseField(written: string, source: string): Field {
  const [end = '', attribute] = ATTRIBUTE.exec(source) ?? []
  const isList = written.endsWith('[]')
  return {
    name: isList ? written.slice(0, -2) : written,
    selector: source.slice(0, source.length - end.length).trim(),
    ...(attribute !== undefined && { attribute: attribute.toLowerCase() }),
    isList,
  }
}

/** Returns the names of fields as `data` has them, each once. */
export function fieldNamesOf(sources: Readonly<Record<string, string>>): string[] {
  const names = Object.entries(sources).map(([name, source]) => parseField(name, source).name)
  return [...new Set(names)]
}
