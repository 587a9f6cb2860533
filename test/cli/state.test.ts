import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CrawlRun, runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { alter, ask, useFolder, visitsIn } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const PAGES = 400
const path = useFolder()
const args = (site: SiteServer) => [`${site.url}/1`, '-d', '99', '-w', '2', '-q']
const kept = () => ['-o', path('out.jsonl'), '--state', path('state')]

/** Runs a crawl that is killed once so many pages are committed; gives what stands. */
async function killAfter(pages: number, command: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const run = runCrawl(command, { onStart: resolve })
  const child = await promise
  while (committed() < pages && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  expect((await run).code).toBe(null)
}

/** Pages that are done, as far as others can see. */
function committed(): number {
  try {
    return Number(ask(path('state'), 'SELECT count(*) AS count FROM visits')[0]?.['count'])
  } catch {
    return 0 // not there yet
  }
}

async function expectAll(pages = PAGES): Promise<void> {
  const urls = (await visitsIn(path('out.jsonl'))).map(({ url }) => url)
  expect(urls).toHaveLength(pages)
  expect(new Set(urls).size).toBe(pages)
}

const slowTree = () => serveTree(PAGES, () => sleep(5))

describe('a crawl that was killed', () => {
  it('goes on with the same command: each URL has one record', async () => {
    const site = await slowTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    await killAfter(200, command)
    expect(await runCrawl(command)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    await expectAll()
    expect(ask(path('state'), 'SELECT DISTINCT state FROM urls')).toEqual([{ state: 2 }])
  })

  it('goes on with --state alone, from any directory', async () => {
    const site = await slowTree()
    await mkdir(path('a'))
    await mkdir(path('b'))
    const first = [...args(site), '-o', '../out.jsonl', '--state', '../state']
    const run = runCrawl(first, { cwd: path('a'), onStart: (child) => void killSoon(child) })
    expect((await run).code).toBe(null)
    const alone = await runCrawl(['--state', '../state'], { cwd: path('b') })
    expect(alone).toMatchObject({ code: 0, stdout: '' })
    await expectAll()
  })

  it('leaves a log of writes and a stale pid behind, which do no harm', async () => {
    const site = await slowTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    expect((await stat(path('state', 'crawl.sqlite-wal'))).size).toBeGreaterThan(0)
    await writeFile(path('state', 'pid'), `${process.pid}\n`)
    expect((await runCrawl(command)).code).toBe(0)
    await expectAll()
    await expect(stat(path('state', 'pid'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('cuts off what the output holds beyond the last commit, half a line as well', async () => {
    const site = await slowTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    await appendFile(path('out.jsonl'), '{"url":"http://of.another/","status":2')
    expect((await runCrawl(command)).code).toBe(0)
    await expectAll()
  })

  it('does not go on with an output that has lost records', async () => {
    const site = await slowTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    await truncate(path('out.jsonl'), 100)
    const run = await runCrawl(command)
    expect(run).toMatchObject({ code: 6, stdout: '' })
    expect(run.stderr).toMatch(
      /^crawl: \S+out\.jsonl: expected the \d+ bytes that the crawl had written, got 100\n$/,
    )
    expect((await stat(path('out.jsonl'))).size).toBe(100)
  })

  it('does not make an output that is gone', async () => {
    const site = await slowTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    const { rm } = await import('node:fs/promises')
    await rm(path('out.jsonl'))
    expect(await runCrawl(command)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('out.jsonl: '),
    })
    await expect(stat(path('out.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('numbers the records of a pipe on from the last commit', async () => {
    const site = await slowTree()
    const command = [...args(site), '--state', path('state')]
    let first: CrawlRun | undefined
    const running = runCrawl(command, {
      onStart: (child) => void killSoon(child),
    })
    first = await running
    const second = await runCrawl(command)
    expect(second.code).toBe(0)
    const [{ seq: from = 0 } = {}] = second.visits
    expect(first.visits.map(({ seq }) => seq)).toEqual(first.visits.map((_, at) => at + 1))
    expect(second.visits.map(({ seq }) => seq)).toEqual(second.visits.map((_, at) => at + from))
    expect(from).toBeGreaterThan(1)
    expect(from).toBeLessThanOrEqual(first.visits.length + 1)
    const whole = [...first.visits.slice(0, from - 1), ...second.visits]
    expect(new Set(whole.map(({ url }) => url)).size).toBe(PAGES)
    expect(whole).toHaveLength(PAGES)
  })
})

/** Kills a crawl when half of the pages are done. */
async function killSoon(child: ChildProcess): Promise<void> {
  while (committed() < PAGES / 2 && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('a crawl that came to its end', () => {
  it('says so, and asks for nothing', async () => {
    const site = await serveTree(10)
    const command = [...args(site), ...kept()]
    await runCrawl(command)
    const asked = site.requests.length
    const before = await readFile(path('out.jsonl'), 'utf8')
    const again = await runCrawl(command)
    const message = `crawl: ${path('state')}: this crawl is finished, with 10 visits\n`
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: message })
    expect(await runCrawl(['--state', path('state')])).toMatchObject({ code: 0, stderr: message })
    expect(site.requests).toHaveLength(asked)
    expect(await readFile(path('out.jsonl'), 'utf8')).toBe(before)
  })

  it('by a limit of pages, goes on with a higher one', async () => {
    const site = await serveTree(100)
    const command = [...args(site), ...kept()]
    expect((await runCrawl([...command, '--max-pages', '30'])).code).toBe(0)
    await expectAll(30)
    expect((await runCrawl([...command, '--max-pages', '30'])).code).toBe(0)
    await expectAll(30)
    expect((await runCrawl([...command, '--max-pages', '70'])).code).toBe(0)
    await expectAll(70)
    expect((await runCrawl(command)).code).toBe(0)
    await expectAll(100)
    expect(site.requests).toHaveLength(101)
  })
})

describe('snapshots of the seen set', () => {
  it.each([
    ['damaged', (file: string) => appendFile(file, 'x'), 1],
    ['gone', async (file: string) => (await import('node:fs/promises')).rm(file), 1],
    ['whole', async () => {}, 0],
  ])('that are %s cost no page', async (_, spoil, warnings) => {
    const site = await serveTree(100)
    const command = [...args(site).slice(0, -1), '--log-level', 'warn', ...kept()]
    expect((await runCrawl([...command, '--max-pages', '30'])).code).toBe(0)
    await spoil(path('state', 'seen-0.snapshot'))
    const run = await runCrawl(command)
    expect(run.code).toBe(0)
    const lines = run.stderr.split('\n').filter(Boolean)
    expect(lines).toHaveLength(warnings)
    for (const line of lines) expect(line).toContain('seen-0.snapshot: is damaged; the seen set is')
    await expectAll(100)
  })
})

describe('settings', () => {
  it('that what is done was done by may not change: they are named', async () => {
    const site = await serveTree(30)
    const command = [...args(site), ...kept(), '--max-pages', '10']
    await runCrawl(command)
    const run = await runCrawl([...command, '-d', '3', '--exclude', 'x', '-o', path('new.jsonl')])
    expect(run).toMatchObject({ code: 6, stdout: '' })
    expect(run.stderr).toContain('depth was 99 and is 3 now')
    expect(run.stderr).toContain('exclude was [] and is ["x"] now')
    expect(run.stderr).toContain(`output was "${path('out.jsonl')}"`)
    expect(run.stderr.split('\n')).toHaveLength(2)
    await expectAll(10)
  })

  it('go on all the same with --force', async () => {
    const site = await serveTree(30)
    await runCrawl([...args(site), ...kept(), '--max-pages', '10'])
    const forced = [...kept(), '--force', '--seen', 'exact', '--expected-urls', '5000']
    expect((await runCrawl([...args(site), ...forced])).code).toBe(0)
    await expectAll(30)
  })

  it('that name another output, with --force, leave what is there alone', async () => {
    const site = await serveTree(30)
    await runCrawl([...args(site), ...kept(), '--max-pages', '10'])
    const dear = 'dear data\n'.repeat(1_000)
    await writeFile(path('dear.jsonl'), dear)
    const other = (name: string) => [...args(site), ...kept(), '--force', '-o', path(name)]
    expect((await runCrawl(other('dear.jsonl'))).code).toBe(2)
    expect(await readFile(path('dear.jsonl'), 'utf8')).toBe(dear)
    expect((await runCrawl(other('rest.jsonl'))).code).toBe(0)
    expect(await visitsIn(path('rest.jsonl'))).toHaveLength(20)
    await expectAll(10)
  })

  it('that do no harm simply apply', async () => {
    const site = await serveTree(30)
    const command = [`${site.url}/1`, '-d', '99', ...kept(), '-q']
    await runCrawl([...command, '-w', '1', '--max-pages', '10'])
    const more = ['-w', '3', '-c', '2', '--delay', '1ms', '--per-host', '1', '--log-level', 'info']
    const run = await runCrawl([...command.slice(0, -1), ...more])
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('Thread-3')
    await expectAll(30)
  })
})

it('alters nothing in a state whose crawl is told apart by its format', async () => {
  const site = await serveTree(3)
  await runCrawl([...args(site), ...kept()])
  alter(path('state'), 'PRAGMA user_version = 99')
  expect(await runCrawl([...args(site), ...kept()])).toMatchObject({
    code: 6,
    stderr: `crawl: ${path('state')}: expected a state of format 1, got 99, which a newer version wrote\n`,
  })
})
