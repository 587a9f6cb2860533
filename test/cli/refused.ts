import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runCrawl } from '../support/run-cli.ts'

/**
 * A run that ends before it crawls; what it says on stderr, line by line.
 * @param options `cwd` is an empty folder unless it is given
 */
export async function refused(
  args: readonly string[],
  options: Parameters<typeof runCrawl>[1] = {},
): Promise<string[]> {
  const run = await runCrawl(args, { cwd: await emptyFolder(), ...options })
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).not.toMatch(/^\s+at /m)
  return run.stderr.trimEnd().split('\n')
}

/** A folder that goes with the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
