import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const kept = (state: string) => ['-q', '-o', path('out.jsonl'), '--state', path(state)]
const taken = () => ({
  code: 2,
  stderr: `crawl: ${path('out.jsonl')}: expected a file that doesn't exist yet; --overwrite replaces it\n`,
})

it('a file is refused if another crawl has opened it, even before it is written to', async () => {
  let isFree = false
  const site = await serveTree(5, () => until(() => isFree))
  const first = runCrawl([`${site.url}/1`, ...kept('first')])
  await until(() => site.requests.length > 0)
  expect(await callCrawl([`${site.url}/1`, ...kept('second')])).toMatchObject(taken())
  isFree = true
  expect((await first).code).toBe(0)
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(5)
})

it('an empty file that no crawl created is refused', async () => {
  await writeFile(path('out.jsonl'), '')
  expect(await callCrawl(['http://127.0.0.1:1/', ...kept('state')])).toMatchObject(taken())
  expect(existsSync(path('state'))).toBe(false)
})

/** Serves two pages, and a login page that never responds: a crawl with --login doesn't begin. */
async function serveSilent() {
  const site = await serve(({ url }, response) => {
    if (url === '/login') return
    response.writeHead(200, { 'content-type': 'text/html' }).end('<a href=/2>2</a>')
  })
  const login = { url: `${site.url}/login`, fields: { user: 'me' }, check: { cookie: 'session' } }
  await writeFile(path('login.json'), JSON.stringify(login))
  return site
}

it.each(['SIGKILL', 'SIGINT'] as const)(
  'a crawl that %s ends before its first commit starts anew with the same command',
  async (signal) => {
    const site = await serveSilent()
    const command = [`${site.url}/1`, ...kept('state')]
    const end = async (child: ChildProcess) => {
      await until(() => site.requests.length > 0)
      child.kill(signal)
    }
    const run = await runCrawl([...command, '--login', path('login.json')], {
      onStart: (child) => void end(child),
    })
    expect(run.code).toBe(signal === 'SIGKILL' ? null : 130)
    expect(existsSync(path('out.jsonl'))).toBe(signal === 'SIGKILL')
    expect((await callCrawl(command)).code).toBe(0)
    expect(await visitsIn(path('out.jsonl'))).toHaveLength(2)
  },
)
