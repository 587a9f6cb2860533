import { NestingError, parseBoundedJson } from '../bounded-json.ts'
import { nameOfSource, type TextSource } from '../compressed-files/open-text.ts'
import { type TextLine, textLines } from '../compressed-files/text-lines.ts'
import { CrawlerError, foundInstead } from '../errors.ts'
import { escapeControls, shortened } from '../printable-text.ts'

/** Expected form of a file's lines. */
export interface LineFormat {
  /** Kind of the lines, as in "a file of visits". */
  readonly name: string
  /** Files with lines of this kind, as in "expected visits as JSON lines"; absent if every line is valid. */
  readonly files?: string
  /** Returns what was expected instead of a value; undefined if it is valid. */
  problemIn(value: unknown): string | undefined
}

/** Formats of other files, including those of `--format`, each with a pattern of its first line. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^SQLite format 3\0/, 'an SQLite database'],
  [/^WARC\//, 'a WARC archive'],
  [/^PK\p{Cc}{2}/u, 'a WACZ or other ZIP archive'],
  [/^[^\s)]+\)\/\S* \d{14} \{/, 'the index of a WARC archive'],
  [/^(?:<\?xml|<urlset|<graphml)\b/, 'XML'],
  [/^<(?:!doctype )?html\b/i, 'HTML'],
  [/^(?:di)?graph\b.*\{$/, 'a graph in DOT'],
  [/^\|.*\|$/, 'Markdown'],
  [/^https?:\/\/\S+$/, 'a list of URLs'],
  [/^(?:\d{3}|[a-z-]+) +\d+ {2}https?:\/\//, 'lines of --format line'],
  [/^\[/, 'a JSON list'],
  [/^\{$/, 'a JSON object of several lines'],
  // The byte order mark of UTF-16, read as UTF-8. PowerShell 5 writes it to a file that stdout is redirected to.
  [/^\ufffd\ufffd/, 'text in UTF-16'],
  [/^("?)[\w.]+\1(?:[,;\t]("?)[\w.[\]-]+\2)+$/, 'CSV'],
]

/** Start of each line of JSON that a crawl writes, itself perhaps incomplete. */
const START_OF_RECORD = /^\{(?:"|$)/

/** Maximum characters of a bad line that a message shows. */
const MAX_SHOWN = 60
/** Maximum characters of a first line that are compared with the patterns of formats. */
const MAX_START = 10_000

/**
 * Yields the values of a file of JSON lines, compressed or not. Skips empty lines, and an incomplete last line, which
 * a running or killed crawl leaves.
 * @throws CrawlerError('usage') when the file can't be read, or a line has another form
 */
export async function* readLines(file: TextSource, form: LineFormat): AsyncGenerator<unknown> {
  let number = 0
  for await (const { text, isWhole } of linesOf(file, form.name)) {
    number += 1
    if (text.trim() === '') continue
    const value = parsed(text)
    if (value instanceof NestingError) throw unexpected(file, `line ${number}: ${value.message}`)
    if (value === undefined && !isWhole && START_OF_RECORD.test(text)) return
    const problem = form.problemIn(value)
    if (problem === undefined) yield value
    else throw unexpected(file, unexpectedLine(text, number, `expected ${problem}`, form))
  }
}

function unexpectedLine(text: string, number: number, expected: string, form: LineFormat): string {
  const format = number === 1 ? otherFormat(text) : undefined
  return format === undefined || form.files === undefined
    ? `line ${number}: ${expected}, got ${shown(text)}`
    : `expected ${form.files}, got ${format}`
}

/** Returns the format that the first line of a file indicates; undefined if it is unknown. */
function otherFormat(line: string): string | undefined {
  const start = line.slice(0, MAX_START).trimEnd()
  return OTHER_FORMATS.find(([pattern]) => pattern.test(start))?.[1]
}

async function* linesOf(file: TextSource, name: string): AsyncGenerator<TextLine> {
  try {
    yield* textLines(file)
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    const isUrl = /^https?:\/\//i.test(nameOfSource(file))
    const got = isUrl ? 'a URL; crawl it first' : foundInstead(error)
    throw unexpected(file, `expected a readable file of ${name}, got ${got}`)
  }
}

/** Returns the value of a line; undefined if it is not JSON, or the error if it nests too deeply. */
function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch (error) {
    return error instanceof NestingError ? error : undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function shown(text: string): string {
  return escapeControls(JSON.stringify(shortened(text, MAX_SHOWN)))
}

function unexpected(file: TextSource, message: string): CrawlerError {
  return new CrawlerError('usage', `${nameOfSource(file)}: ${message}`)
}
