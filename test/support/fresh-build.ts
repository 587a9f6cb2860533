import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** A file that the last step of the build writes. */
const BUILT = 'dist/index.d.ts'
/** Files that the build reads, without those that it generates. */
const SOURCES = [
  ...['src/**/*.{ts,lua}', 'build/**/*.ts', 'rolldown.config.ts', 'tsconfig*.json'],
  'package.json',
]

/**
 * Builds the program before the tests, unless the build is newer than all sources, since workers run the built program.
 */
export default function setup(): void {
  const builtAt = timeOf(BUILT)
  const sources = globSync(SOURCES, { cwd: root, exclude: ['**/generated/**'] })
  if (sources.every((source) => timeOf(source) <= builtAt)) return
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Returns when a file was written, in milliseconds since 1970; 0 if there is none. */
function timeOf(path: string): number {
  return statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
