import { exec } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const run = promisify(exec)

const env = {
  ...process.env,
  PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH']}`,
  // tsc ends before it has used much memory: a quarter of its time went into collecting garbage.
  GOGC: 'off',
}

/** Returns what a script of package.json complains of; undefined if it succeeds. */
function complaintsOf(script: 'typecheck' | 'lint'): Promise<string | undefined> {
  return run(packageJson.scripts[script], { env }).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

it('the types fit', async () => {
  expect(await complaintsOf('typecheck')).toBe(undefined)
})

it('the linter finds no fault, and no file, export or package that is unused', async () => {
  expect(await complaintsOf('lint')).toBe(undefined)
})
