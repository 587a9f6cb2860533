import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError, foundInstead } from '../errors.ts'
import { isDevice, isDirectory } from '../output/file-identity.ts'
import { outputError } from '../output/stream-output.ts'
import { CookieJar } from './cookie-jar.ts'

const HEADER = '# Netscape HTTP Cookie File'

/**
 * Returns the cookies in a Netscape cookie file; none, with a warning, if the file does not exist yet.
 * @throws CrawlerError('usage') when it can't be read or replaced, or has a line that is no cookie, 'output' when there is
 * no directory where it could be written at the end
 */
export function readCookies(file: string, warn: (text: string) => void): CookieJar {
  const jar = new CookieJar([])
  for (const [index, line] of textOf(file, warn).split(/\r?\n/).entries()) {
    const isComment = line.trim() === '' || (line.startsWith('#') && !line.startsWith('#HttpOnly_'))
    if (isComment || jar.add(line)) continue
    throw new CrawlerError('usage', `${file}: line ${index + 1}: expected a Netscape cookie`)
  }
  return jar
}

/**
 * Writes cookies for their owner only, and all or nothing.
 * @throws CrawlerError('output')
 */
export function writeCookies(file: string, jar: CookieJar): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    // Whoever may write there may have put a link in the place of the draft.
    rmSync(draft, { force: true })
    const text = `${[HEADER, '', ...jar.lines].join('\n')}\n`
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw outputError(file, error)
  }
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
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT') return nothingYet(file, warn)
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
