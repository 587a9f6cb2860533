import { readFileSync } from 'node:fs'

/** The schema of a setting's values, in docs/crawler.schema.json. */
export interface Property {
  readonly default?: unknown
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly anyOf?: readonly Property[]
}

/** Returns the schemas of all settings by name. */
export function readProperties(): Readonly<Record<string, Property>> {
  const schema = new URL('../docs/crawler.schema.json', import.meta.url)
  return JSON.parse(readFileSync(schema, 'utf8')).properties
}
