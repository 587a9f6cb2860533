import { exec } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const run = promisify(exec)

const env = {
  ...process.env,
  PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH']}`,
  // tsc ends before it uses much memory. Collecting garbage took a quarter of its time.
  GOGC: 'off',
}

/** Returns the output of a script of package.json that fails; undefined if it succeeds. */
function complaintsOf(script: 'typecheck' | 'lint'): Promise<string | undefined> {
  return run(packageJson.scripts[script], { env }).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

it('the types are correct', async () => {
  expect(await complaintsOf('typecheck')).toBe(undefined)
})

it('the linter finds no problem, and no unused file, export or package', async () => {
  expect(await complaintsOf('lint')).toBe(undefined)
})
