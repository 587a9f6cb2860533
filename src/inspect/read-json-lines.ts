import { nameOfSource, type TextSource } from '../compressed-files/open-text.ts'
import { type TextLine, textLines } from '../compressed-files/text-lines.ts'
import { CrawlerError, foundInstead } from '../errors.ts'
import { escapeControls } from '../printable-text.ts'

/** Expected form of a file's lines. */
export interface LineFormat {
  /** Kind of the lines, as in "a file of visits". */
  readonly name: string
  /** Returns what was expected instead of a value; undefined if it is valid. */
  problemIn(value: unknown): string | undefined
}

/** Characters of a bad line that a message shows. */
const MAX_SHOWN = 60

/**
 * Yields the values of a file of JSON lines, compressed or not. Skips empty lines, and an incomplete last line, which
 * a running or killed crawl leaves.
 * @throws CrawlerError('usage') when it can't be read, or a line has another form
 */
export async function* readLines(file: TextSource, form: LineFormat): AsyncGenerator<unknown> {
  let number = 0
  for await (const { text, isWhole } of linesOf(file, form.name)) {
    number += 1
    if (text.trim() === '') continue
    const value = parsed(text)
    if (value === undefined && !isWhole && number > 1 && text.startsWith('{')) return
    const problem = form.problemIn(value)
    if (problem === undefined) yield value
    else throw unexpected(file, `line ${number}: expected ${problem}, got ${shown(text)}`)
  }
}

async function* linesOf(file: TextSource, name: string): AsyncGenerator<TextLine> {
  try {
    yield* textLines(file)
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    throw unexpected(file, `expected a readable file of ${name}, got ${foundInstead(error)}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function shown(text: string): string {
  const start = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return escapeControls(JSON.stringify(start))
}

function unexpected(file: TextSource, message: string): CrawlerError {
  return new CrawlerError('usage', `${nameOfSource(file)}: ${message}`)
}
