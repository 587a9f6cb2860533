import { isObject, readLines } from './read-json-lines.ts'

/** A visit in a file: the fields of records/visit.ts that reports use. */
export interface RecordedVisit {
  readonly url: string
  readonly status?: number
  readonly depth?: number
  readonly via?: string
  readonly hop?: string
  readonly redirectsTo?: string
  readonly contentType?: string
  readonly bytes?: number
  readonly title?: string
  readonly links?: number
  /** Present on rendered pages. */
  readonly renderedLinks?: number
  readonly canonical?: string
  readonly robots?: string
  readonly textLength?: number
  readonly rawTitle?: string
  readonly rawCanonical?: string
  readonly rawRobots?: string
  readonly rawTextLength?: number
  readonly hash?: string
  readonly data?: unknown
  readonly ms?: number
  readonly time?: string
  /** `crawl state --export visits` writes only the code. */
  readonly error?: string | { readonly code: string; readonly message?: string }
}

const TYPES: Readonly<Record<Exclude<keyof RecordedVisit, 'data' | 'error'>, 'string' | 'number'>> =
  {
    ...{ url: 'string', status: 'number', depth: 'number', via: 'string', hop: 'string' },
    ...{ redirectsTo: 'string', contentType: 'string', bytes: 'number', title: 'string' },
    ...{ links: 'number', ms: 'number', time: 'string' },
    ...{ renderedLinks: 'number', canonical: 'string', robots: 'string', textLength: 'number' },
    ...{
      rawTitle: 'string',
      rawCanonical: 'string',
      rawRobots: 'string',
      rawTextLength: 'number',
      hash: 'string',
    },
  }

/**
 * Yields the visits of a file of JSON lines, like `readLines`.
 * @throws CrawlerError('usage') when it can't be read, or a line is not a visit
 */
export function readVisits(file: string): AsyncGenerator<RecordedVisit> {
  return readLines(file, { name: 'visits', problemIn }) as AsyncGenerator<RecordedVisit>
}

/** Returns what was expected instead; undefined for a valid visit. */
function problemIn(value: unknown): string | undefined {
  if (!isObject(value) || typeof value['url'] !== 'string') {
    return 'a visit, a JSON object with a `url`'
  }
  for (const [field, type] of Object.entries(TYPES)) {
    if (value[field] !== undefined && typeof value[field] !== type) {
      return `a ${type === 'string' ? 'text' : 'number'} as \`${field}\``
    }
  }
  const { error } = value
  const isError = isObject(error) && typeof error['code'] === 'string'
  const isCode = error === undefined || typeof error === 'string'
  return isCode || isError ? undefined : 'an error with a `code`'
}

/** Returns the `error.code` of a visit. */
export function errorCodeOf({ error }: RecordedVisit): string | undefined {
  return typeof error === 'string' ? error : error?.code
}
