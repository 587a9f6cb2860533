import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { CrawlerError } from '../../errors.ts'

/** Programs that render pages, by the names that Linux distributions give them, the leanest first. */
const NAMES = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable'],
  ...['microsoft-edge', 'microsoft-edge-stable'],
]

/** The programs of applications on macOS, in a folder for applications. They are not on the PATH. */
const MAC_PROGRAMS = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `${name}.app/Contents/MacOS/${name}`,
)

/** The programs on Windows, in a folder for programs. They are not on the PATH, either. */
const WINDOWS_PROGRAMS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * Returns the path of the browser.
 * @param given the browser of `--browser`: a path, or a name on the PATH
 * @throws CrawlerError('usage') if no browser is found
 */
export function findBrowser(
  given: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const found = browserPlaces(given, environment).find(isProgram)
  if (found !== undefined) return found
  if (given !== undefined) {
    throw new CrawlerError(
      'usage',
      `--browser: expected the path of a program, or its name on the PATH, and found no \`${given}\``,
    )
  }
  const advice = 'install one, such as the package chromium, or pass its path with --browser'
  throw new CrawlerError('usage', `--render: found no Chromium, Chrome or Edge: ${advice}`)
}

/** Returns the paths where the browser may be, in order of preference. */
export function browserPlaces(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const isWindows = platform === 'win32'
  const { delimiter, join, resolve } = isWindows ? win32 : posix
  if (given !== undefined && (isWindows ? /[/\\:]/ : /\//).test(given)) return [resolve(given)]
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean)
  const names = given === undefined ? NAMES : [given]
  const files = isWindows ? names.flatMap((name) => [name, `${name}.exe`]) : names
  const onPath = files.flatMap((file) => folders.map((folder) => join(folder, file)))
  return given === undefined ? [...onPath, ...installedPlaces(environment, platform)] : onPath
}

/** Returns the paths at which the installers of browsers put them without adding them to the PATH. */
function installedPlaces(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const { HOME, ProgramFiles, LOCALAPPDATA } = environment
  if (platform === 'darwin') {
    const folders = ['/Applications', HOME && `${HOME}/Applications`]
    return MAC_PROGRAMS.flatMap((program) => inEach(folders, `/${program}`))
  }
  if (platform !== 'win32') return []
  const folders = [ProgramFiles, environment['ProgramFiles(x86)'], LOCALAPPDATA]
  return WINDOWS_PROGRAMS.flatMap((program) => inEach(folders, `\\${program}`))
}

/** Returns the path of a program in each folder that is known. */
function inEach(folders: readonly (string | undefined)[], program: string): string[] {
  return folders.flatMap((folder) => (folder ? [`${folder}${program}`] : []))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
