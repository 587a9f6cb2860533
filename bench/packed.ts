/**
 * Checks that the package is complete. Packs the build, installs it with its production dependencies in an empty
 * directory, and crawls the fixture site from there: with the command, alone and over Redis, and with a program that
 * imports the library. Also installs it globally into an empty root, and expects commands, man pages, and no warnings.
 * Prints the size and the number of packages. Fails if something is missing.
 *
 *   npm run build && node bench/packed.ts
 */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveFixtureSite } from '../fixtures/server.ts'
import { RedisServer } from '../test/support/redis-server.ts'

/** Number of pages of the fixture site within three links, as test/fixtures/site.test.ts lists them. */
const PAGES = 27
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-packed-'))
const site = await serveFixtureSite()
try {
  const tarball = await pack()
  await npm('init', '-y')
  await npm('install', '--omit=dev', '--no-audit', '--no-fund', tarball)
  await installGlobally(tarball)
  await crawlByCommand()
  await crawlOverRedis()
  await crawlByProgram()
  const packages = packagesIn(join(folder, 'package-lock.json'))
  const installed = sizeOf(join(folder, 'node_modules'))
  console.log(`tarball ${kB(statSync(join(folder, tarball)).size)}`)
  console.log(
    `installed ${kB(installed)}, of it ${kB(sizeOf(join(folder, 'node_modules', 'orbweaver')))} own`,
  )
  console.log(`${packages.length} packages beside it: ${packages.join(' ')}`)
} finally {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}

async function pack(): Promise<string> {
  await npm('pack', '--ignore-scripts', '--pack-destination', folder, root)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack wrote no tarball')
  return tarball
}

/** Installs the package as a user would, into an empty root. Expects commands, man pages, and no warnings of npm. */
async function installGlobally(tarball: string): Promise<void> {
  const prefix = join(folder, 'root')
  const options = ['--prefix', prefix, '--no-audit', '--no-fund', '--loglevel', 'warn']
  const { stderr } = await npm('install', '--global', ...options, join(folder, tarball))
  const warnings = stderr.split('\n').filter((line) => line !== '' && !/user config/.test(line))
  if (warnings.length > 0) throw new Error(`expected no warnings, got ${warnings.join('\n')}`)
  const isWindows = process.platform === 'win32'
  const commands = ['crawl', 'orbweaver'].map((name) => (isWindows ? `${name}.cmd` : `bin/${name}`))
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const pages = isWindows ? [] : man.map((page: string) => `share/man/man1/${basename(page)}`)
  for (const file of [...commands, ...pages]) {
    if (!existsSync(join(prefix, file))) throw new Error(`expected ${file} in ${prefix}`)
  }
  if (!isWindows) await node(join(prefix, 'bin/orbweaver'), '--version')
}

async function crawlByCommand(): Promise<void> {
  const taken = ['--extract', 'title=title', '--text', '--markdown', '--save-bodies', 'mirror']
  const visits = await visitsOf(...taken)
  const read = visits.filter(({ data }) => typeof data?.text === 'string' && data.markdown !== '')
  if (read.length === 0) throw new Error('expected text and Markdown')
  const page = join(folder, 'mirror', new URL(site.url).host.replace(':', '+'), 'index.html')
  if (!existsSync(page)) throw new Error(`expected ${page}`)
}

async function crawlOverRedis(): Promise<void> {
  const redis = await RedisServer.start('--appendonly', 'yes')
  try {
    await visitsOf('--frontier', redis.url, '--job', 'packed')
  } finally {
    await redis.close()
  }
}

interface Visit {
  readonly data?: { readonly text?: unknown; readonly markdown?: unknown }
}

async function visitsOf(...flags: readonly string[]): Promise<Visit[]> {
  const linked = join(folder, 'node_modules', '.bin', 'crawl')
  if (!existsSync(linked)) throw new Error(`expected ${linked}`)
  const script = join(folder, 'node_modules', 'orbweaver', 'bin', 'crawl.js')
  const { stdout, stderr } = await node(script, site.url, '-q', ...flags)
  const lines = stdout.trim().split('\n')
  const isWrong = stderr !== '' || lines.length !== PAGES
  if (isWrong) throw new Error(`expected ${PAGES} visits, got ${lines.length}: ${stderr}`)
  return lines.map((line) => JSON.parse(line))
}

async function crawlByProgram(): Promise<void> {
  copyFileSync(join(root, 'docs/examples/broken-links.mjs'), join(folder, 'broken-links.mjs'))
  const { stdout } = await node('broken-links.mjs', site.url)
  if (!/^404 .+lost-web\.html /m.test(stdout)) throw new Error(`expected a missing page: ${stdout}`)
}

function packagesIn(lockFile: string): string[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'))
  const places = Object.keys(packages).filter((place) => /node_modules\/(?!orbweaver$)/.test(place))
  return places.map((place) => place.replace(/^.*node_modules\//, '')).sort()
}

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function kB(bytes: number): string {
  return `${Math.round(bytes / 1_000)} kB`
}

function node(...args: readonly string[]) {
  return promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 })
}

function npm(...args: readonly string[]) {
  // On Windows, npm is a script that needs a shell.
  return promisify(execFile)('npm', args, { cwd: folder, shell: process.platform === 'win32' })
}
