import { pathStart } from './origin.ts'

const HASH = 0x23
const PERCENT = 0x25
const DOT = 0x2e
const SLASH = 0x2f
const COLON = 0x3a
const QUESTION_MARK = 0x3f

/**
 * A table with a 1 for each character that the WHATWG URL parser leaves alone in paths and queries. `?` is not in it:
 * the parser leaves it alone only in queries.
 */
export const PLAIN_CHARACTERS: Uint8Array = tableOf(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&()*+,;=:@/',
)

/** Matches an escape that is already canonical. */
const NON_ASCII_ESCAPE = /^%[89A-F][0-9A-F]/

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

/**
 * Resolves plain hrefs, which are the majority (`../a/b.html#c`, `/a?b=c`), by joining strings. That is three times as
 * fast as the URL parser. The results are the same: hrefs that aren't plain are left to the parser.
 */
export class BaseDirectory {
  /** Canonical URL of the directory. */
  readonly path: string
  readonly #root: string

  /** @param base canonical http(s) URL */
  constructor(base: string) {
    const root = pathStart(base) + 1
    const query = base.indexOf('?', root)
    this.#root = base.slice(0, root)
    this.path = base.slice(0, base.lastIndexOf('/', query === -1 ? base.length : query) + 1)
  }

  /** Returns the canonical URL of an href; undefined if only the parser can resolve it. */
  join(href: string): string | undefined {
    let directory = this.#root
    let start = 0
    if (href.charCodeAt(0) === SLASH) start = 1
    else if (href.startsWith(this.#root)) start = this.#root.length
    else {
      directory = this.path
      for (; href.startsWith('../', start); start += 3) directory = this.#parentOf(directory)
    }
    const end = plainEnd(href, start)
    return end > 0 ? detached(directory + href.slice(start, end)) : undefined
  }

  #parentOf(directory: string): string {
    if (directory.length === this.#root.length) return directory
    return directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1)
  }
}

/**
 * Returns the index at which the fragment starts or the href ends; -1 if an earlier character is
 * not plain.
 */
function plainEnd(href: string, start: number): number {
  let previous = SLASH
  for (let at = start; at < href.length; at++) {
    const code = href.charCodeAt(at)
    if (code === HASH) return at
    if (code === QUESTION_MARK) return at > 0 ? plainQueryEnd(href, at + 1) : -1
    // A dot may begin a dot segment, a slash may begin an authority, and a colon may end a scheme.
    if (previous === SLASH && (code === DOT || code === SLASH)) return -1
    if (code === COLON && start === 0) return -1
    if (!isPlain(href, at, code)) return -1
    previous = code
  }
  return href.length
}

function plainQueryEnd(href: string, start: number): number {
  for (let at = start; at < href.length; at++) {
    const code = href.charCodeAt(at)
    if (code === HASH) return at
    if (code !== QUESTION_MARK && !isPlain(href, at, code)) return -1
  }
  return href.length
}

function isPlain(href: string, at: number, code: number): boolean {
  return code === PERCENT
    ? NON_ASCII_ESCAPE.test(href.slice(at, at + 3))
    : code < 128 && PLAIN_CHARACTERS[code] === 1
}

/**
 * Detaches a joined string from its parts. V8 joins strings by reference, so the result would keep the whole text of
 * the page in memory. Reading a character forces a copy. The comparison prevents the optimizer from removing the read.
 */
function detached(joined: string): string {
  return joined.charCodeAt(0) === 0 ? '' : joined
}
