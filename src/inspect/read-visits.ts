import type { TextSource } from '../compressed-files/open-text.ts'
import type { Visit } from '../records/visit.ts'
import { isObject, type LineFormat, readLines } from './read-json-lines.ts'

/** The types of the fields that reports use. */
const TYPES = {
  ...({ url: 'string', status: 'number', depth: 'number', via: 'string', hop: 'string' } as const),
  ...({ redirectsTo: 'string', contentType: 'string', bytes: 'number', title: 'string' } as const),
  ...({ links: 'number', ms: 'number', time: 'string' } as const),
  /** Only rendered pages have it. */
  renderedLinks: 'number',
  ...({ canonical: 'string', robots: 'string', textLength: 'number', hash: 'string' } as const),
  ...({ rawTitle: 'string', rawCanonical: 'string' } as const),
  ...({ rawRobots: 'string', rawTextLength: 'number' } as const),
} as const satisfies Partial<Record<keyof Visit, 'string' | 'number'>>

type RecordedFields = {
  readonly [Name in keyof typeof TYPES]?: (typeof TYPES)[Name] extends 'number' ? number : string
}

/** A visit in a file: the fields of records/visit.ts that reports use. */
export interface RecordedVisit extends RecordedFields {
  readonly url: string
  readonly noindex?: unknown
  readonly attempts?: unknown
  readonly data?: unknown
  /** `crawl state --export visits` writes only the code. */
  readonly error?: string | { readonly code: string; readonly message?: string }
}

const FORM: LineFormat = {
  name: 'visits',
  files: 'visits as JSON lines, such as -o visits.jsonl writes, or a directory of --state',
  problemIn,
}

/**
 * Yields the visits of a file of JSON lines, like `readLines`. A field that is null counts as absent: programs such as
 * `jq` write absent fields so.
 * @throws CrawlerError('usage') when the file can't be read, or a line is not a visit
 */
export async function* readVisits(file: TextSource): AsyncGenerator<RecordedVisit> {
  for await (const visit of readLines(file, FORM) as AsyncGenerator<Record<string, unknown>>) {
    for (const field in visit) if (visit[field] === null) delete visit[field]
    yield visit as unknown as RecordedVisit
  }
}

/** Returns what was expected instead of a value; undefined for a valid visit. */
function problemIn(value: unknown): string | undefined {
  const other = isObject(value) ? otherRecordIn(value) : undefined
  if (other !== undefined) return `a visit, not ${other}`
  if (!isObject(value) || typeof value['url'] !== 'string') {
    return 'a visit, a JSON object with a `url`'
  }
  for (const [field, type] of Object.entries(TYPES)) {
    if (!isAbsent(value[field]) && typeof value[field] !== type) {
      return `a ${type === 'string' ? 'text' : 'number'} as \`${field}\``
    }
  }
  return problemInError(value['error'])
}

function problemInError(error: unknown): string | undefined {
  if (isAbsent(error) || typeof error === 'string') return undefined
  if (!isObject(error) || typeof error['code'] !== 'string') return 'an error with a `code`'
  const { message } = error
  return isAbsent(message) || typeof message === 'string' ? undefined : 'a text as `error.message`'
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** Returns the name of a line that belongs to another output or to the log; undefined for any other line. */
function otherRecordIn(value: Record<string, unknown>): string | undefined {
  const has = (...fields: readonly string[]) => fields.every((name) => value[name] !== undefined)
  if (has('level', 'msg')) return 'a line of the log'
  if (has('from', 'to')) return 'a link of --links'
  if (has('host') && !has('status') && !has('error')) return 'a URL of --export queue'
  return has('reason') ? 'a URL of --skipped' : undefined
}

/** Returns the `error.code` of a visit. */
export function errorCodeOf({ error }: RecordedVisit): string | undefined {
  return typeof error === 'string' ? error : error?.code
}
