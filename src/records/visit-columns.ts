import type { Visit } from './visit.ts'
import type { VisitFields } from './visit-record.ts'

export type ColumnValue = string | number | true | undefined

/** Columns of tabular formats: a field of the same name, and both parts of `error`. */
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
} satisfies Record<keyof Visit | 'errorMessage', (visit: VisitFields) => ColumnValue>
