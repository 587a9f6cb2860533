import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { CrawlerError } from '../../errors.ts'

/** Programs that render pages, the leanest first. */
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome']

/**
 * Returns the path of the browser.
 * @param given the browser of `--browser`: a path, or a name on the PATH
 * @throws CrawlerError('usage') if no browser is found
 */
export function findBrowser(given: string | undefined, path = process.env['PATH'] ?? ''): string {
  const names = given === undefined ? NAMES : [given]
  const found = names.flatMap((name) => placesOf(name, path)).find(isProgram)
  if (found !== undefined) return found
  if (given !== undefined) {
    throw new CrawlerError(
      'usage',
      `--browser: expected the path of a program, or its name on the PATH, and found no \`${given}\``,
    )
  }
  const advice =
    'install the package chromium-headless-shell or chromium, or pass the path of a browser with --browser'
  throw new CrawlerError('usage', `--render: found none of ${NAMES.join(', ')}: ${advice}`)
}

function placesOf(name: string, path: string): string[] {
  if (name.includes('/')) return [resolve(name)]
  return path.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, name)]))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
