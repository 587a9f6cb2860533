import { StringDecoder } from 'node:string_decoder'
import { openText } from '../../compressed-files/open-text.ts'
import { CrawlerError, foundInstead, messageOf } from '../../errors.ts'
import { parseSeed } from '../../url/seed.ts'

/** Seeds of files, and how many of their lines were repeated. */
interface ReadSeeds {
  readonly seeds: readonly string[]
  readonly repeatedSeeds: number
}

/** A line with a URL, numbered from 1. */
interface UrlLine {
  readonly url: string
  readonly number: number
}

/** Maximum characters per line. */
const MAX_LINE = 2 ** 20
const LINE_END = /\r\n|\n|\r/

/**
 * Reads seeds from files, compressed or not, or, for `-`, from `stdin`: one per line, without empty lines, `#` comments
 * and repeated lines.
 * @throws CrawlerError('usage') when one can't be read
 */
export async function readSeeds(
  files: readonly string[] = [],
  stdin: NodeJS.ReadableStream,
): Promise<ReadSeeds> {
  const seeds = new Set<string>()
  let lines = 0
  for (const file of files) {
    for await (const { url, number } of urlLines(file, stdin)) {
      checkSeed(url, `${nameOfSeeds(file)}: line ${number}`)
      seeds.add(url)
      lines++
    }
  }
  return { seeds: [...seeds], repeatedSeeds: lines - seeds.size }
}

/** Returns the name of a file of seeds for messages. */
export function nameOfSeeds(file: string): string {
  return file === '-' ? '--seeds' : file
}

function checkSeed(seed: string, place: string): void {
  try {
    parseSeed(seed)
  } catch (error) {
    throw new CrawlerError('usage', `${place}: ${messageOf(error)}`)
  }
}

/**
 * Reads URLs from a file, compressed or not, or, for `-`, from `stdin`: one per line, without empty lines and `#`
 * comments.
 * @throws CrawlerError('usage') when it can't be read
 */
export async function* urlLines(
  file: string,
  stdin: NodeJS.ReadableStream,
): AsyncGenerator<UrlLine> {
  const name = nameOfSeeds(file)
  let number = 0
  try {
    for await (const line of linesOf(file === '-' ? stdin : await openText(file))) {
      number++
      const url = line.trim()
      if (url.length > MAX_LINE) throw unexpected('a line of at most 1 MiB')
      if (url.includes('\0')) throw unexpected('one URL per line in UTF-8, got NUL characters')
      if (url !== '' && !url.startsWith('#')) yield { url, number }
    }
  } catch (error) {
    if (!(error instanceof CrawlerError)) {
      const message = `${name}: expected a readable file of URLs, got ${foundInstead(error)}`
      throw new CrawlerError('usage', message)
    }
    throw error
  }

  function unexpected(expected: string): CrawlerError {
    return new CrawlerError('usage', `${name}: line ${number}: expected ${expected}`)
  }
}

/** Yields the lines of a text. A line that is too long is cut, and the last. */
async function* linesOf(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk)
    // The line feed of a last carriage return may be still to come.
    const isSplit = rest.endsWith('\r')
    const lines = (isSplit ? rest.slice(0, -1) : rest).split(LINE_END)
    rest = `${lines.pop() ?? ''}${isSplit ? '\r' : ''}`
    yield* lines
    if (rest.length > MAX_LINE + 1) break
  }
  yield* `${rest}${decoder.end()}`.split(LINE_END)
}
