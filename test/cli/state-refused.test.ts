import type { ChildProcess } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { alter, ask, useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const command = (site: SiteServer) => {
  const kept = ['-o', path('out.jsonl'), '--state', path('state')]
  return [`${site.url}/1`, '-d', '99', '-w', '1', '-q', ...kept]
}

/** Resolves when a crawl has created its state. */
async function begun(): Promise<void> {
  for (;;) {
    try {
      if (ask(path('state'), "SELECT 1 FROM crawl WHERE name = 'ledger'").length > 0) return
    } catch {} // no database yet
    await sleep(5)
  }
}

it('a second crawl on a directory is refused, with the process of the first', async () => {
  let isHanging = true
  const site = await serveTree(3, async () => {
    await until(() => !isHanging)
  })
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const running = runCrawl(command(site), { onStart: resolve })
  const { pid } = await promise
  await begun()
  expect(await callCrawl(command(site))).toMatchObject({
    code: 6,
    stdout: '',
    stderr: `crawl: ${path('state')}: is in use by process ${pid}\n`,
  })
  isHanging = false
  expect((await running).code).toBe(0)
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(3)
})

it('a state of a newer version is refused and left unchanged', async () => {
  const site = await serveTree(3)
  expect((await callCrawl([...command(site), '--max-pages', '1'])).code).toBe(0)
  alter(path('state'), 'PRAGMA user_version = 999')
  const run = await callCrawl(command(site))
  expect(run.code).toBe(6)
  expect(run.stderr).toMatch(/^crawl: \S+: expected a state of format \d, got 999, [^\n]+\n$/)
  expect(ask(path('state'), 'PRAGMA user_version')).toEqual([{ user_version: 999 }])
})

describe('a directory without a state of ours', () => {
  it.each([
    ['a file', () => writeFile(path('state'), 'dear data'), 'expected a directory, got a file'],
    [
      'the directory of something else',
      async () => {
        await mkdir(path('state'))
        await writeFile(path('state', 'letters.txt'), 'dear data')
      },
      'expected an empty directory or the state of a crawl, got letters.txt in it',
    ],
    [
      'a database that is damaged',
      async () => {
        await mkdir(path('state'))
        await writeFile(path('state', 'crawl.sqlite'), 'x'.repeat(10_000))
      },
      'its database is damaged; restore a copy, or begin again with another --state',
    ],
  ])('%s is refused', async (_, make, message) => {
    await make()
    const site = await serveTree(1)
    expect(await callCrawl(command(site))).toMatchObject({
      code: 6,
      stdout: '',
      stderr: `crawl: ${path('state')}: ${message}\n`,
    })
    expect(site.requests).toHaveLength(0)
  })
})

it('changed settings that finished work depends on are listed, and --force continues with them', async () => {
  const site = await serveTree(30)
  const first = [...command(site), '--max-pages', '10', '--seen', 'bloom']
  await callCrawl(first)
  const refused = await callCrawl([...first, '--seen', 'exact', '--exclude', 'x'])
  expect(refused).toMatchObject({ code: 6, stdout: '' })
  expect(refused.stderr).toBe(
    `crawl: ${path('state')}: expected the settings that its crawl began with, but --exclude was not set and is ["x"] now, --seen was "bloom" and is "exact" now; --force continues with the current settings\n`,
  )
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(10)
  const forced = [...command(site), '--force', '--seen', 'exact']
  expect((await callCrawl(forced)).code).toBe(0)
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(30)
})

it('a finished crawl is left unchanged, even if the clock ran ahead, until its settings match', async () => {
  const site = await serveTree(1)
  const run = (...more: string[]) => callCrawl([...command(site), ...more])
  await run()
  const tomorrow = Date.now() + 86_400_000
  const time = () => Number(ask(path('state'), 'SELECT at FROM visits')[0]?.['at'])
  alter(path('state'), `UPDATE visits SET at = ${tomorrow}`)
  expect((await run('--exclude', 'x')).code).toBe(6)
  expect(time()).toBe(tomorrow)
  expect((await run()).code).toBe(0)
  expect(time()).toBeLessThan(tomorrow)
})

it('seeds may be given in another order, and changes of a long list are summed up', async () => {
  const site = await serveTree(1)
  const kept = ['--state', path('state'), '-o', path('out.jsonl'), '-q', '--max-pages', '2']
  const resume = (seeds: readonly string[]) =>
    callCrawl(['--seeds', '-', ...kept], seeds.map((seed) => `${seed}\n`).join(''))
  const seeds = Array.from({ length: 1_200 }, (_, n) => `${site.url}/${n}`)
  expect(await resume(seeds)).toMatchObject({ code: 0, stderr: '' })
  expect(await resume(seeds.toReversed())).toMatchObject({ code: 0, stderr: '' })
  const changed = await resume([...seeds.slice(1), `${site.url}/new`])
  expect(changed).toMatchObject({ code: 6, stdout: '' })
  expect(changed.stderr).toBe(
    `crawl: ${path('state')}: expected the settings that its crawl began with, but seeds changed (1 added: ${site.url}/new; 1 of 1,200 removed: ${site.url}/0); --force continues with the current settings, and reads pages again whose links lead further\n`,
  )
})

it('another output with --force starts anew, and overwrites no existing file', async () => {
  const site = await serveTree(30)
  await callCrawl([...command(site), '--max-pages', '10'])
  const dear = 'dear data\n'.repeat(1_000)
  await writeFile(path('dear.jsonl'), dear)
  const other = (name: string) => {
    return [
      ...command(site).map((arg) => (arg === path('out.jsonl') ? path(name) : arg)),
      '--force',
    ]
  }
  expect((await callCrawl(other('dear.jsonl'))).code).toBe(2)
  expect(await readFile(path('dear.jsonl'), 'utf8')).toBe(dear)
  expect((await callCrawl(other('rest.jsonl'))).code).toBe(0)
  expect(await visitsIn(path('rest.jsonl'))).toHaveLength(20)
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(10)
})

it('a mistake on the command line creates no directory, and changes none', async () => {
  const inside = ['--state', path('deep', 'state')]
  await mkdir(path('state'))
  const empty = ['--state', path('state')]
  for (const flags of [inside, empty]) {
    const run = await callCrawl(['http://127.0.0.1:9/', '-q', ...flags, '-o', path('none', 'out')])
    expect(run).toMatchObject({ code: 5, stdout: '' })
  }
  expect((await callCrawl(['http://a:b:c/', '-q', ...inside])).code).toBe(2)
  expect((await callCrawl(['http://127.0.0.1:9/', '-w', '0', ...inside])).code).toBe(2)
  expect(await readdir(path())).toEqual(['state'])
  expect(await readdir(path('state'))).toEqual([])
})
