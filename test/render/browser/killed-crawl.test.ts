import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { serveTree } from '../../cli/tree-site.ts'
import { runCrawl } from '../../support/run-cli.ts'

it('a killed crawl leaves the profile of its browser, which the next one removes', async () => {
  // Short, since Chromium makes sockets in it, and open, since that of root runs as another user.
  const folder = mkdtempSync('/tmp/orbweaver-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o1777)
  const profiles = () =>
    readdirSync(folder).filter((name) => name.startsWith('orbweaver-browser-')).length
  const { url } = await serveTree(30)
  const command = [`${url}/1`, '-q', '-d', '9', '--render', 'always']
  const env = { TMPDIR: folder }
  const killed = await runCrawl(command, { env, signalAfter: { visits: 1, signal: 'SIGKILL' } })
  expect([killed.code, profiles()]).toEqual([null, 1])
  expect((await runCrawl([...command, '--max-pages', '1'], { env })).code).toBe(0)
  expect(profiles()).toBe(0)
})
