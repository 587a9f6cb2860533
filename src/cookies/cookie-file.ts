import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError } from '../errors.ts'
import { outputError } from '../output/output-error.ts'
import { readReplacedFile, replaceFile } from '../output/replaced-file.ts'
import { CookieJar } from './cookie-jar.ts'

/** One character per byte, as in headers: sites get the bytes of the file, whatever their encoding. */
const ENCODING = 'latin1'
const HEADER = '# Netscape HTTP Cookie File'
/** The byte order mark of UTF-8, one character per byte. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/

interface CookieSettings {
  readonly cookies: boolean | string
  readonly dryRun: boolean
  readonly login?: string | undefined
}

/** The file of `--cookies`: its cookies are read at the start of a crawl and written at the end. */
export class CookieFile {
  readonly jar = new CookieJar([])
  #digest: string
  readonly #path: string
  #isWritten = false

  /**
   * Reads a Netscape cookie file. If it doesn't exist, warns and starts without cookies.
   * @throws CrawlerError('usage') if the file can't be read, is a device or has an invalid line; 'output' if the
   * directory in which it would be created at the end doesn't exist
   */
  constructor(path: string, warn: (text: string) => void) {
    this.#path = path
    const text = readReplacedFile(path, 'cookie file', ENCODING) ?? nothingYet(path, warn)
    this.#digest = hash('sha256', text)
    const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r?\n/)
    for (const [index, line] of lines.entries()) {
      const isComment =
        line.trim() === '' || (line.startsWith('#') && !line.startsWith('#HttpOnly_'))
      if (isComment || this.jar.add(line)) continue
      const expected = 'a Netscape cookie (7 fields separated by tabs)'
      throw new CrawlerError('usage', `${path}: line ${index + 1}: expected ${expected}`)
    }
  }

  /**
   * SHA-256 of the file, in hexadecimal. If it differs from that of the last run, the user has replaced the file. Then
   * the cookies of the file are used, not those that the last run stored.
   */
  get digest(): string {
    return this.#digest
  }

  /**
   * Writes the cookies on the first call. Only the owner can read the file, which is replaced completely or not at all.
   * @throws CrawlerError('output')
   */
  write(): void {
    if (this.#isWritten) return
    const text = `${[HEADER, '', ...this.jar.lines].join('\n')}\n`
    replaceFile(this.#path, text, { encoding: ENCODING, mode: 0o600 })
    this.#digest = hash('sha256', text)
    this.#isWritten = true
  }
}

/** Returns the cookies of a crawl, and the file to which they are written at its end. */
export function openCookies(
  { cookies, dryRun, login }: CookieSettings,
  warn: (text: string) => void,
): { readonly cookies?: CookieJar; readonly cookieFile?: CookieFile } {
  if (typeof cookies === 'string') {
    const file = new CookieFile(cookies, warn)
    return { cookies: file.jar, ...(!dryRun && { cookieFile: file }) }
  }
  return cookies || login !== undefined ? { cookies: new CookieJar([]) } : {}
}

/** Matches a cookie in the place of a file name, as curl takes it. */
const COOKIE = /^[^/\\]+=/

/**
 * Warns that there is no file yet. It will be created at the end.
 * @throws CrawlerError('output') if its folder doesn't exist; 'usage' if its name seems to be a cookie, which may be
 * secret
 */
function nothingYet(file: string, warn: (text: string) => void): string {
  if (COOKIE.test(file)) {
    const problem = 'cookies: expected a file, got what looks like a cookie'
    throw new CrawlerError('usage', `${problem}; --header 'Cookie: name=value' sends one`)
  }
  const folder = dirname(file)
  if (!existsSync(folder)) throw outputError(file, new Error(`${folder} doesn't exist`))
  warn(`${file} does not exist: starting without cookies`)
  return ''
}
