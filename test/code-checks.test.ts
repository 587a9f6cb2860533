import { exec, execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import biome from '@biomejs/biome/package.json' with { type: 'json' }
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const run = promisify(exec)
const runFile = promisify(execFile)

const env = {
  ...process.env,
  PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH']}`,
  // tsc ends before it uses much memory. Collecting garbage took a quarter of its time.
  GOGC: 'off',
}

/** File with the hashes of files in which the linter found no problem. Linting all of them costs 10 s of CPU time. */
const LINTED = 'node_modules/.cache/biome.json'

/** Returns the output of a command that fails; undefined if it succeeds. */
function outputIfBad(ended: Promise<unknown>): Promise<string | undefined> {
  return ended.then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

/** Returns all files that may be linted, by a hash of all that the linter's result depends on. */
function sources(): Map<string, string> {
  const exclude = ['**/node_modules', '.git', 'dist', 'coverage']
  const files = globSync('**', { exclude, withFileTypes: true }).filter((file) => file.isFile())
  const rules = readFileSync('biome.json')
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = relative('.', join(parentPath, name))
      const hash = createHash('sha256')
      for (const part of [biome.version, rules, file, readFileSync(file)]) {
        hash.update(part).update('\0')
      }
      return [hash.digest('base64'), file]
    }),
  )
}

/** Returns the hashes of files in which an earlier run found no problem. */
function linted(): readonly string[] {
  try {
    return JSON.parse(readFileSync(LINTED, 'utf8'))
  } catch {
    return []
  }
}

it('the types are correct', async () => {
  expect(await outputIfBad(run(packageJson.scripts.typecheck, { env }))).toBe(undefined)
})

it('the linter finds no problem', async () => {
  const all = sources()
  const known = new Set(linted())
  const files = [...all].flatMap(([hash, file]) => (known.has(hash) ? [] : [file]))
  if (files.length > 0) {
    const args = ['check', '--no-errors-on-unmatched', ...files]
    expect(await outputIfBad(runFile('biome', args, { env }))).toBe(undefined)
  }
  mkdirSync(dirname(LINTED), { recursive: true })
  writeFileSync(LINTED, JSON.stringify([...all.keys()]))
})

it('no file, export or package is unused', async () => {
  expect(await outputIfBad(run(packageJson.scripts.unused, { env }))).toBe(undefined)
})
