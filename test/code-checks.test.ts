import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** Returns what a script of package.json complains of; undefined if it succeeds. */
function complaintsOf(script: string): Promise<string | undefined> {
  return run('npm', ['run', '--silent', script]).then(
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
