import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'

/**
 * Runs a command that ends before it crawls. Returns the lines on stderr.
 * @param folder working directory; an empty one by default
 */
export async function refused(args: readonly string[], folder?: string): Promise<string[]> {
  const run = await callCrawl(args, '', { cwd: folder ?? (await emptyFolder()) })
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).not.toMatch(/^\s+at /m)
  return run.stderr.trimEnd().split('\n')
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
