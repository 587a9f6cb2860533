import { parseBoundedJson } from '../bounded-json.ts'
import { type TextLine, textLines } from '../compressed-files/text-lines.ts'
import { CrawlerError, foundInstead } from '../errors.ts'

/** A response that an index lists, and whose body is in the archive. */
export interface IndexedBody {
  readonly url: string
  /** Time of the response, as in `WARC-Date`. */
  readonly date: string
  /** SHA-1 of the body: `sha1:` and 32 characters of base32. */
  readonly digest: string
}

/** The fields of a line, as written. */
interface IndexLine {
  readonly url?: unknown
  readonly timestamp?: unknown
  readonly mime?: unknown
  readonly digest?: unknown
}

type ParseLine = (line: string) => IndexLine | undefined

/** Start of the first line of a CDX file, which names its columns by letters. Its first character separates columns. */
const CDX_HEADER = /^(.)CDX\1/
/** A line of a CDXJ file: a key, a timestamp and a JSON object. */
const CDXJ_LINE = /^\S+ (\d+) (\{.*\})\s*$/
/** Start of lines of a CDXJ file that describe it. */
const CDXJ_COMMENT = '!'
const TIMESTAMP = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/
const DIGEST = /^(?:sha1:)?([a-z2-7]{32})$/i
/** A URL that fits into a header of a record. */
const URL_TEXT = /^https?:\/\/\S+$/i

/**
 * Yields the bodies that an index of an archive lists: in CDXJ, as pywb and this program write it, or in CDX, as GNU
 * Wget does (https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/). Lines without a SHA-1, and
 * those of `revisit` records, are skipped.
 * @throws CrawlerError('usage') if the file can't be read, or is no index
 */
export async function* indexedBodies(name: string): AsyncGenerator<IndexedBody> {
  let parse: ParseLine | undefined
  let number = 0
  for await (const { text } of linesOf(name)) {
    number++
    if (text.trim() === '' || text.startsWith(CDXJ_COMMENT)) continue
    if (parse === undefined && CDX_HEADER.test(text)) {
      parse = cdxParser(name, text)
      continue
    }
    parse ??= parseCdxjLine
    const line = parse(text)
    if (line === undefined) throw noIndex(name, `expected a line of CDXJ or CDX in line ${number}`)
    const body = bodyOf(line)
    if (body !== undefined) yield body
  }
}

async function* linesOf(name: string): AsyncGenerator<TextLine> {
  try {
    yield* textLines(name)
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    throw noIndex(name, `expected a readable index of an archive, got ${foundInstead(error)}`)
  }
}

function parseCdxjLine(line: string): IndexLine | undefined {
  const [, timestamp, json = ''] = CDXJ_LINE.exec(line) ?? []
  try {
    const value = parseBoundedJson(json)
    return typeof value === 'object' && value !== null ? { ...value, timestamp } : undefined
  } catch {
    return undefined
  }
}

/** @param header the first line, such as ` CDX N b a m s k r M S V g` */
function cdxParser(name: string, header: string): ParseLine {
  const separator = header.charAt(0)
  const letters = header.trimEnd().split(separator).slice(2)
  const [url, timestamp, mime, digest] = ['a', 'b', 'm', 'k'].map((each) => letters.indexOf(each))
  if (url === -1 || timestamp === -1 || digest === -1)
    throw noIndex(name, 'expected the columns a, b and k in its first line')
  return (line) => {
    const columns = line.trimEnd().split(separator)
    if (columns.length !== letters.length) return undefined
    const column = (index = -1) => columns[index]
    return {
      url: column(url),
      timestamp: column(timestamp),
      mime: column(mime),
      digest: column(digest),
    }
  }
}

/** Returns undefined for a line without a usable body. */
function bodyOf({ url, timestamp, mime, digest }: IndexLine): IndexedBody | undefined {
  if (mime === 'warc/revisit' || typeof url !== 'string' || !URL_TEXT.test(url)) return undefined
  const [, ...times] = TIMESTAMP.exec(String(timestamp)) ?? []
  const [, hash] = DIGEST.exec(String(digest)) ?? []
  if (hash === undefined || times.length === 0) return undefined
  const [year, month, day, hours, minutes, seconds, ms] = times
  const fraction = ms === undefined ? '' : `.${ms}`
  const date = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}${fraction}Z`
  return { url, date, digest: `sha1:${hash.toUpperCase()}` }
}

function noIndex(name: string, problem: string): CrawlerError {
  return new CrawlerError('usage', `${name}: ${problem}`)
}
