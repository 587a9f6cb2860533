import { createReadStream } from 'node:fs'
import { CrawlerError, messageOf } from '../errors.ts'
import { escapeControls } from '../escape-controls.ts'

/** What a file tells of a visit: the fields of wire/visit.ts that reports look at. */
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
  readonly ms?: number
  readonly time?: string
  /** `crawl state --export visits` writes the code alone. */
  readonly error?: string | { readonly code: string; readonly message?: string }
}

/** Characters of a line: more than any record has, with all the data that it may hold. */
const MAX_LINE = 2 ** 24
/** Characters of a bad line that a message shows. */
const SHOWN = 60

const TYPES: Readonly<Record<Exclude<keyof RecordedVisit, 'error'>, 'string' | 'number'>> = {
  ...{ url: 'string', status: 'number', depth: 'number', via: 'string', hop: 'string' },
  ...{ redirectsTo: 'string', contentType: 'string', bytes: 'number', title: 'string' },
  ...{ links: 'number', ms: 'number', time: 'string' },
}

/**
 * The visits of a file of JSON lines, one at a time. Empty lines don't count, nor does half a record
 * at the very end: a crawl that still goes on, or was killed, leaves one.
 * @throws CrawlerError('usage') when it can't be read, or a line is no visit
 */
export async function* readVisits(file: string): AsyncGenerator<RecordedVisit> {
  let number = 0
  for await (const { text, isWhole } of linesOf(file)) {
    number += 1
    if (text.trim() === '') continue
    const visit = parsed(text)
    if (visit === undefined && !isWhole && number > 1 && text.startsWith('{')) return
    const problem = problemIn(visit)
    if (problem === undefined) yield visit as RecordedVisit
    else throw unexpected(file, `line ${number}: expected ${problem}, got ${shown(text)}`)
  }
}

async function* linesOf(file: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  let rest = ''
  try {
    for await (const chunk of createReadStream(file, {
      encoding: 'utf8',
      highWaterMark: 2 ** 18,
    })) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) yield { text, isWhole: true }
      if (rest.length > MAX_LINE) throw unexpected(file, 'expected lines of at most 16 MiB')
    }
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    const reason = messageOf(error)
    throw unexpected(file, `expected a readable file of visits: ${reason}`)
  }
  if (rest !== '') yield { text: rest, isWhole: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What was expected instead; undefined when it is a visit. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function shown(text: string): string {
  const start = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return escapeControls(JSON.stringify(start))
}

function unexpected(file: string, message: string): CrawlerError {
  return new CrawlerError('usage', `${file}: ${message}`)
}

/** The `error.code` of a visit. */
export function errorCodeOf({ error }: RecordedVisit): string | undefined {
  return typeof error === 'string' ? error : error?.code
}
