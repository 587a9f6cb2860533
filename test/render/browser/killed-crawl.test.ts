import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createProfile } from '../../../src/render/browser/browser-profile.ts'
import { serveTree } from '../../cli/tree-site.ts'
import { runCrawl } from '../../support/run-cli.ts'
import { until } from '../../support/until.ts'
import { runningProcesses } from '../browser-processes.ts'

it('a killed crawl leaves the profile of its browser, which the next crawl removes', async () => {
  // The path is short, since Chromium creates sockets in it, and open to all, since root's Chromium runs as another
  // user.
  const folder = mkdtempSync('/tmp/orbweaver-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o1777)
  const profiles = () => readdirSync(folder).filter((name) => name.startsWith('orbweaver-browser-'))
  const { url } = await serveTree(30)
  const killed = await runCrawl([`${url}/1`, '-q', '-d', '9', '--render', 'always'], {
    env: { TMPDIR: folder },
    signalAfter: { visits: 1, signal: 'SIGKILL' },
  })
  const [left = 'none', ...others] = profiles()
  expect([killed.code, others]).toEqual([null, []])
  await until(() => !runningProcesses().some(({ command }) => command.includes(left)))
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  createProfile(folder, nobody)
  expect(profiles()).toHaveLength(1)
  expect(profiles()).not.toContain(left)
})
