import {
  count,
  dictionary,
  displayNumber,
  guarded,
  httpUrl,
  looseRecord,
  oneOf,
  optional,
  text,
  unknown,
} from '../database/stored-schemas.ts'
import { HOPS } from '../records/crawl-url.ts'
import type { Visit } from '../records/visit.ts'

const presentSchema = guarded((value): value is true => value === true, 'true')

/** Form of a visit that is stored and read back at the end. */
export const visitSchema = looseRecord({
  url: httpUrl,
  status: optional(count),
  depth: count,
  via: optional(text),
  hop: oneOf(HOPS, 'a hop'),
  redirectsTo: optional(text),
  contentType: optional(text),
  charset: optional(text),
  bytes: optional(count),
  truncated: optional(presentSchema),
  title: optional(text),
  noindex: optional(presentSchema),
  canonical: optional(text),
  links: optional(count),
  discovered: optional(count),
  change: optional(oneOf(['new', 'changed', 'same', 'gone'], 'a change')),
  ms: optional(displayNumber),
  attempts: count,
  worker: optional(count),
  time: optional(text),
  error: optional(guarded(isError, 'an error')),
  data: optional(dictionary(unknown)),
  dataTruncated: optional(presentSchema),
  duplicateOf: optional(text),
  agent: optional(text),
  seq: optional(count),
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
