import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { killGroup } from '../../../src/render/browser/browser-process.ts'
import { serveTree } from '../../cli/tree-site.ts'
import { BIN } from '../../support/run-cli.ts'

it.each(['linux', 'win32'] as const)('a browser is killed on %s', async (platform) => {
  // Windows has no groups of processes, and this one has none, either.
  const child = spawn('sleep', ['60'], { detached: platform !== 'win32' })
  const exit = once(child, 'exit')
  killGroup(child, platform)
  expect(await exit).toEqual([null, 'SIGKILL'])
})

it.runIf(process.getuid?.() === 0)(
  'root of a container without other users is told to run as another user, and no profile is left',
  async () => {
    const folder = mkdtempSync('/tmp/orbweaver-')
    chmodSync(folder, 0o1777)
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { url } = await serveTree(3)
    const crawl = [BIN, `${url}/1`, '-q', '-w', '1', '--render', 'always']
    const run = promisify(execFile)('unshare', ['-r', process.execPath, ...crawl], {
      env: { ...process.env, TMPDIR: folder },
    })
    await expect(run).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('run crawl as another user\n'),
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('orbweaver-browser-'))).toEqual([])
  },
)
