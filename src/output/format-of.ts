import { extname } from 'node:path'
import type { Config } from '../config/schema.ts'
import type { Format } from '../config/settings/output-settings.ts'

/** Endings of the names of files. */
const EXTENSIONS: Readonly<Record<Format, readonly string[]>> = {
  jsonl: ['.jsonl', '.ndjson'],
  csv: ['.csv'],
  sitemap: ['.xml'],
  dot: ['.dot', '.gv'],
  graphml: ['.graphml'],
  sqlite: ['.sqlite', '.sqlite3', '.db'],
  warc: ['.warc.gz'],
}

/** All of them, in words. */
export const ENDINGS = Object.values(EXTENSIONS)
  .flat()
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1')

/** Formats that tell which page links to which. */
const WITH_LINKS: ReadonlySet<Format> = new Set(['dot', 'graphml', 'sqlite'])

type Chosen = Pick<Config, 'output' | 'format'>

/** `format` is for the one output there is, and among several for those whose names don't tell. */
export function formatOf(name: string, { output, format }: Chosen): Format {
  if (format !== undefined && output.length === 1) return format
  return formatByExtension(name) ?? format ?? 'jsonl'
}

/** Returns whether a name tells its format: by a known extension, or as JSON lines by having none. */
export function isFormatKnown(name: string): boolean {
  return extname(name) === '' || formatByExtension(name) !== undefined
}

/** Whether workers have to tell the links of each page. */
export function wantsOutlinks(chosen: Chosen): boolean {
  return chosen.output.some((name) => WITH_LINKS.has(formatOf(name, chosen)))
}

/** Whether workers have to keep all bodies, and tell them with the header as it was received. */
export function wantsExchanges(chosen: Chosen): boolean {
  return chosen.output.some((name) => formatOf(name, chosen) === 'warc')
}

/** Returns the format that an extension names; undefined where there is none, or it is unknown. */
export function formatByExtension(name: string): Format | undefined {
  const lowerCased = name.toLowerCase()
  const formats = Object.keys(EXTENSIONS) as Format[]
  return formats.find((format) => EXTENSIONS[format].some((end) => lowerCased.endsWith(end)))
}
