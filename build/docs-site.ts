import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm run docs:site [-- --base /folder/]: builds the site. The options are those of `vitepress build`.
const root = fileURLToPath(new URL('../', import.meta.url))
const site = join(root, 'build/site')
const SOURCES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'bench']
/** Returns whether a path is a page or a picture, or a folder that may contain some. */
function isPart(path: string): boolean {
  return /^(|\.md|\.svg|\.png)$/.test(extname(path)) && !path.endsWith('node_modules')
}

/** Runs a command in the folder of the site, and ends this process if it fails. */
function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

if (!existsSync(join(site, 'node_modules'))) {
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
}
// Copies the pages to a folder from which they can import the generator's packages.
const pages = join(site, 'pages')
rmSync(pages, { recursive: true, force: true })
for (const path of SOURCES) {
  cpSync(join(root, path), join(pages, path), { recursive: true, filter: isPart })
}
run(
  process.execPath,
  'node_modules/vitepress/bin/vitepress.js',
  'build',
  '.',
  ...process.argv.slice(2),
)
