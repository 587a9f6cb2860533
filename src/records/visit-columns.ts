import { didYouMean, nearName } from '../near-name.ts'
import type { Visit } from './visit.ts'
import type { VisitFields } from './visit-record.ts'

export type ColumnValue = string | number | true | undefined

/** Columns of tabular formats. Each shows the field of the same name. `error` has two columns. */
export const VISIT_COLUMNS = {
  url: ({ url }) => url,
  status: ({ status }) => status,
  depth: ({ depth }) => depth,
  via: ({ via }) => via,
  hop: ({ hop }) => hop,
  redirectsTo: ({ redirectsTo }) => redirectsTo,
  contentType: ({ contentType }) => contentType,
  charset: ({ charset }) => charset,
  bytes: ({ bytes }) => bytes,
  truncated: ({ truncated }) => truncated,
  title: ({ title }) => title,
  noindex: ({ noindex }) => noindex,
  canonical: ({ canonical }) => canonical,
  links: ({ links }) => links,
  discovered: ({ discovered }) => discovered,
  change: ({ change }) => change,
  ms: ({ ms }) => ms,
  attempts: ({ attempts }) => attempts,
  worker: ({ worker }) => worker,
  time: ({ time }) => time,
  error: ({ error }) => error?.code,
  errorMessage: ({ error }) => error?.message,
  data: ({ dataJson }) => dataJson,
  dataTruncated: ({ dataTruncated }) => dataTruncated,
  duplicateOf: ({ duplicateOf }) => duplicateOf,
  agent: ({ agent }) => agent,
  seq: ({ seq }) => seq,
  rendered: ({ rendered }) => rendered,
  renderedLinks: ({ renderedLinks }) => renderedLinks,
  renderMs: ({ renderMs }) => renderMs,
  robots: ({ robots }) => robots,
  textLength: ({ textLength }) => textLength,
  rawTitle: ({ rawTitle }) => rawTitle,
  rawCanonical: ({ rawCanonical }) => rawCanonical,
  rawRobots: ({ rawRobots }) => rawRobots,
  rawTextLength: ({ rawTextLength }) => rawTextLength,
  hash: ({ hash }) => hash,
  screenshot: ({ screenshot }) => screenshot,
} satisfies Record<keyof Visit | 'errorMessage', (visit: VisitFields) => ColumnValue>

const NAMES = Object.keys(VISIT_COLUMNS)
/** Prefix of columns for fields of `data`. */
export const DATA = 'data.'
/** Fields of `data` that users may take for columns. */
const PAGE_TEXTS: ReadonlySet<string> = new Set(['text', 'markdown'])

/** Returns the name after `data.`; undefined for another column. */
export function dataFieldOf(column: string): string | undefined {
  return column.startsWith(DATA) ? column.slice(DATA.length) : undefined
}

/** Returns all columns, with one for each given field of `data`. */
export function allColumns(dataFields: readonly string[]): string[] {
  return [...NAMES, ...dataFields.map((name) => DATA + name)]
}

/** Returns a text that says what was expected instead of a column's name; undefined for a valid name. */
export function problemInColumn(name: string): string | undefined {
  if (Object.hasOwn(VISIT_COLUMNS, name) || dataFieldOf(name)) return undefined
  const near = PAGE_TEXTS.has(name) ? DATA + name : nearName(name, NAMES)
  if (near !== undefined) return `a field of visits${didYouMean(near)}`
  return `one of ${NAMES.join(', ')}, or data.<name>, such as data.price for --extract price=…`
}
