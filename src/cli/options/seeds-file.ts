import { existsSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { openText } from '../../compressed-files/open-text.ts'
import { countOf } from '../../english-text.ts'
import { CrawlerError, foundInstead, messageOf } from '../../errors.ts'
import { parseSeed, shownSeed } from '../../url/seed.ts'
import { checkFileNames } from './typed-values.ts'

/** Seeds from files, and the number of lines that repeat a seed. */
export interface ReadSeeds {
  readonly seeds: readonly string[]
  readonly repeatedSeeds: number
}

/** Maximum characters per line. */
const MAX_LINE = 2 ** 20
/** Maximum number of invalid lines that an error names. */
const MAX_NAMED = 10
const ADVICE_ON_URL = ' (curl <url> | crawl --seeds - reads a list from a server)'
const LINE_END = /\r\n|\n|\r/

/**
 * Reads seeds from files, compressed or not; the file `-` is `stdin`. Each line has one seed. Empty lines, `#` comments
 * and repeated lines are skipped.
 * @throws CrawlerError('usage') when a file can't be read, or naming the lines that are not URLs
 */
export async function readSeeds(
  files: readonly string[] = [],
  stdin: NodeJS.ReadableStream,
): Promise<ReadSeeds> {
  const seeds = new Set<string>()
  const wrong = new WrongLines()
  let lines = 0
  for (const file of files) {
    checkFileNames({ '--seeds': file })
    for await (const url of urlsIn(file, nameOfSeeds(file), stdin, wrong)) {
      seeds.add(url)
      lines++
    }
  }
  wrong.throwIfAny()
  return { seeds: [...seeds], repeatedSeeds: lines - seeds.size }
}

/**
 * Reads URLs from `stdin`, one per line. Empty lines and `#` comments are skipped.
 * @throws CrawlerError('usage') as `readSeeds`
 */
export async function readUrls(stdin: NodeJS.ReadableStream): Promise<string[]> {
  const urls: string[] = []
  const wrong = new WrongLines()
  for await (const url of urlsIn('-', 'stdin', stdin, wrong)) urls.push(url)
  wrong.throwIfAny()
  return urls
}

/** Matches names of text files that may have URLs. */
const LIST_NAME = /\.(?:txt|csv|list|urls)$/i

/**
 * Refuses the name of a text file in place of a seed.
 * @throws CrawlerError('usage')
 */
export function refuseSeedFile(seeds: readonly string[]): void {
  const file = seeds.find((seed) => LIST_NAME.test(seed) && existsSync(seed))
  if (file === undefined) return
  throw new CrawlerError(
    'usage',
    `${file}: expected a seed URL, got a file (did you mean --seeds ${file}?)`,
  )
}

/** Returns the name of a file of seeds for messages. */
export function nameOfSeeds(file: string): string {
  return file === '-' ? '--seeds' : file
}

/** Invalid lines: the first few, and the number of the rest in each file. */
class WrongLines {
  readonly #named: string[] = []
  readonly #others = new Map<string, number>()

  add(file: string, number: number, problem: string): void {
    if (this.#named.length < MAX_NAMED) this.#named.push(`${file}: line ${number}: ${problem}`)
    else this.#others.set(file, (this.#others.get(file) ?? 0) + 1)
  }

  throwIfAny(): void {
    const others = [...this.#others].map(([file, count]) => {
      return `${file}: and ${countOf(count, 'more line')}`
    })
    const lines = [...this.#named, ...others]
    if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
  }
}

/**
 * Yields the URLs of a file, compressed or not; the file `-` is `stdin`. Each line has one URL. Empty lines and `#`
 * comments are skipped. Lines that are not URLs are added to `wrong`.
 * @throws CrawlerError('usage') when the file can't be read
 */
async function* urlsIn(
  file: string,
  name: string,
  stdin: NodeJS.ReadableStream,
  wrong: WrongLines,
): AsyncGenerator<string> {
  let number = 0
  try {
    for await (const line of linesOf(file === '-' ? stdin : await openText(file))) {
      number++
      const url = line.trim()
      if (url.length > MAX_LINE) throw unexpected('a line of at most 1 MiB')
      if (url.includes('\0')) throw unexpected('one URL per line in UTF-8, got NUL characters')
      if (url === '' || url.startsWith('#')) continue
      const problem = problemIn(url)
      if (problem === undefined) yield url
      else wrong.add(name, number, problem)
    }
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    const message = `${name}: expected a readable file of URLs, got ${foundInstead(error)}`
    const isUrl = /^https?:\/\//i.test(file)
    throw new CrawlerError('usage', `${message}${isUrl ? ADVICE_ON_URL : ''}`)
  }

  function unexpected(expected: string): CrawlerError {
    return new CrawlerError('usage', `${name}: line ${number}: expected ${expected}`)
  }
}

/** Returns the reason why a line is not a URL; undefined for a valid URL. */
function problemIn(line: string): string | undefined {
  if (/\s/.test(line)) {
    return `expected one URL without white space (%20 stands for a space), got \`${shownSeed(line)}\``
  }
  try {
    parseSeed(line)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Yields the lines of a text. Ends with the start of a line that is too long. */
async function* linesOf(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk)
    // The line feed after a carriage return may be in the next chunk.
    const isSplit = rest.endsWith('\r')
    const lines = (isSplit ? rest.slice(0, -1) : rest).split(LINE_END)
    rest = `${lines.pop() ?? ''}${isSplit ? '\r' : ''}`
    yield* lines
    if (rest.length > MAX_LINE + 1) break
  }
  yield* `${rest}${decoder.end()}`.split(LINE_END)
}
