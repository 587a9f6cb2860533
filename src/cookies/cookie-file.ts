import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError, codeOf, foundInstead } from '../errors.ts'
import { isDevice, isDirectory } from '../output/file-identity.ts'
import { outputError } from '../output/stream-output.ts'
import { CookieJar } from './cookie-jar.ts'

const HEADER = '# Netscape HTTP Cookie File'

interface CookieSettings {
  readonly cookies: boolean | string
  readonly dryRun: boolean
  readonly login?: string | undefined
}

/** The file that cookies come from and go to. */
export class CookieFile {
  readonly jar = new CookieJar([])
  #digest: string
  readonly #path: string
  #isWritten = false

  /**
   * Reads a Netscape cookie file. Without one, there are no cookies, and a warning.
   * @throws CrawlerError('usage') when it can't be read or replaced, or has a line that is no cookie, 'output' when
   * there is no directory where it could be written at the end
   */
  constructor(path: string, warn: (text: string) => void) {
    this.#path = path
    const text = textOf(path, warn)
    this.#digest = hash('sha256', text)
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const isComment =
        line.trim() === '' || (line.startsWith('#') && !line.startsWith('#HttpOnly_'))
      if (isComment || this.jar.add(line)) continue
      throw new CrawlerError('usage', `${path}: line ${index + 1}: expected a Netscape cookie`)
    }
  }

  /** SHA-256 of what it holds, in hexadecimal: whoever replaces that between two runs means the cookies of the file. */
  get digest(): string {
    return this.#digest
  }

  /**
   * Writes the cookies once, for their owner only, and all or nothing.
   * @throws CrawlerError('output')
   */
  write(): void {
    if (this.#isWritten) return
    const draft = `${this.#path}.${process.pid}.tmp`
    try {
      // Whoever may write there may have put a link in the place of the draft.
      rmSync(draft, { force: true })
      const text = `${[HEADER, '', ...this.jar.lines].join('\n')}\n`
      writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.#path)
      this.#digest = hash('sha256', text)
      this.#isWritten = true
    } catch (error) {
      rmSync(draft, { force: true })
      throw outputError(this.#path, error)
    }
  }
}

/** Returns the cookies of a crawl, and the file where they go at its end. */
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

function textOf(file: string, warn: (text: string) => void): string {
  // Whoever may write into its folder, as root may into /dev, would replace a device by a file.
  if (isDevice(file) && !isDirectory(file)) {
    const expected = 'a cookie file, which is written again at the end'
    throw new CrawlerError('usage', `${file}: expected ${expected}, got a device or a pipe`)
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return nothingYet(file, warn)
    const found = foundInstead(error)
    throw new CrawlerError('usage', `${file}: expected a readable cookie file, got ${found}`)
  }
}

/** The file will be made at the end, where it can be. */
function nothingYet(file: string, warn: (text: string) => void): string {
  const folder = dirname(file)
  if (!existsSync(folder)) throw outputError(file, new Error(`${folder} is not there`))
  warn(`${file} does not exist: starting without cookies`)
  return ''
}
