import { parseBoundedJson } from '../../bounded-json.ts'
import { CrawlerError } from '../../errors.ts'
import { readReplacedFile, replaceFile } from '../../output/replaced-file.ts'

const EXPECTED = 'a line of `crawl check --cache`'
/** Maximum characters of the file, which is read and written as one text. V8's texts have at most twice as many. */
const MAX_CHARACTERS = 2 ** 28

/** The outcome of a URL out of the scope. */
export interface CachedLink {
  readonly url: string
  readonly status: number
  /** When it was requested, in milliseconds since 1970. */
  readonly time: number
  readonly redirectsTo?: string
  /** The reason why the response can't be an image. */
  readonly imageError?: { readonly code: string; readonly message: string }
}

/** A file with the links to other hosts that worked in earlier checks. */
export class LinkCache {
  readonly #file: string
  readonly #maxCharacters: number
  readonly #links: Map<string, CachedLink>

  /**
   * @param maxAge milliseconds after which a link is requested again
   * @throws CrawlerError('usage')
   */
  constructor(file: string, maxAge: number, now = Date.now(), maxCharacters = MAX_CHARACTERS) {
    this.#file = file
    this.#maxCharacters = maxCharacters
    // A time in the future was stored by a clock that was wrong.
    const fresh = readLinks(file).filter(({ time }) => Math.abs(now - time) < maxAge)
    this.#links = new Map(fresh.map((link) => [link.url, link]))
  }

  /** Returns a link and the URLs that it redirects to; nothing unless all of these are in the cache. */
  chainOf(url: string): readonly CachedLink[] {
    const chain = new Set<CachedLink>()
    for (let next: string | undefined = url; next !== undefined; ) {
      const link = this.#links.get(next)
      if (link === undefined || chain.has(link)) return []
      chain.add(link)
      next = link.redirectsTo
    }
    return [...chain]
  }

  /**
   * Replaces the file by its fresh links, without those that were requested again, and adds the ones that work. Leaves
   * out the oldest links if the file would be too long.
   * @throws CrawlerError('output')
   */
  write(requested: Iterable<string>, working: Iterable<CachedLink>): void {
    for (const url of requested) this.#links.delete(url)
    for (const link of working) this.#links.set(link.url, link)
    const lines = [...this.#links.values()].map((link) => `${JSON.stringify(link)}\n`)
    let room = this.#maxCharacters
    const last = lines.findLastIndex((line) => {
      room -= line.length
      return room < 0
    })
    replaceFile(this.#file, lines.slice(last + 1).join(''))
  }
}

function readLinks(file: string): CachedLink[] {
  const lines = (readReplacedFile(file, 'cache file', 'utf8') ?? '').split('\n')
  return lines.flatMap((line, index) => {
    if (line === '') return []
    const link = parsed(line)
    if (isLink(link)) return [link]
    throw new CrawlerError('usage', `${file}, line ${index + 1}: expected ${EXPECTED}`)
  })
}

function parsed(line: string): unknown {
  try {
    return parseBoundedJson(line)
  } catch {
    return undefined
  }
}

function isLink(value: unknown): value is CachedLink {
  const { url, status, time, redirectsTo, imageError }: Record<string, unknown> = Object(value)
  return (
    typeof url === 'string' &&
    typeof status === 'number' &&
    typeof time === 'number' &&
    (redirectsTo === undefined || typeof redirectsTo === 'string') &&
    (imageError === undefined || isImageError(imageError))
  )
}

function isImageError(value: unknown): boolean {
  const { code, message }: Record<string, unknown> = Object(value)
  return typeof code === 'string' && typeof message === 'string'
}
