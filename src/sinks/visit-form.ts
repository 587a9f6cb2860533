import {
  absentOr,
  count,
  figure,
  httpUrl,
  made,
  mapOf,
  oneOf,
  openRecord,
  text,
  unknown,
} from '../database/stored-value.ts'
import { HOPS } from '../records/crawl-url.ts'
import type { Visit } from '../records/visit.ts'

const present = made((value): value is true => value === true, 'true')

/** Form of a visit that is stored and read back at the end. */
export const visitForm = openRecord({
  url: httpUrl,
  status: absentOr(count),
  depth: count,
  via: absentOr(text),
  hop: oneOf(HOPS, 'a hop'),
  redirectsTo: absentOr(text),
  contentType: absentOr(text),
  charset: absentOr(text),
  bytes: absentOr(count),
  truncated: absentOr(present),
  title: absentOr(text),
  noindex: absentOr(present),
  canonical: absentOr(text),
  links: absentOr(count),
  discovered: absentOr(count),
  change: absentOr(oneOf(['new', 'changed', 'same', 'gone'], 'a change')),
  ms: absentOr(figure),
  attempts: count,
  worker: absentOr(count),
  time: absentOr(text),
  error: absentOr(made(isError, 'an error')),
  data: absentOr(mapOf(unknown)),
  dataTruncated: absentOr(present),
  duplicateOf: absentOr(text),
  agent: absentOr(text),
  seq: absentOr(count),
})

function isError(value: unknown): value is NonNullable<Visit['error']> {
  if (typeof value !== 'object' || value === null) return false
  return (
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}
