import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'

/**
 * A run that ends before it crawls; what it says on stderr, line by line.
 * @param folder where it runs; an empty one unless given
 */
export async function refused(args: readonly string[], folder?: string): Promise<string[]> {
  const run = await callCrawl(args, '', { cwd: folder ?? (await emptyFolder()) })
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
