import type { ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../../support/call-cli.ts'
import { leaveEarly, runCrawl } from '../../support/run-cli.ts'
import { alter, ask, useFolder } from '../../support/state-run.ts'
import { until } from '../../support/until.ts'
import { serveTree } from '../tree-site.ts'

const path = useFolder()
const show = (...flags: string[]) => callCrawl(['state', path('state'), ...flags])

/** A crawl of the first 10 of 40 pages. */
async function crawlTen() {
  const site = await serveTree(40)
  const kept = ['-o', path('out.jsonl'), '--state', path('state'), '-w', '1', '-c', '1']
  await callCrawl([`${site.url}/1`, '-w', '1', '-q', '-d', '99', '--max-pages', '10', ...kept])
  return site
}

it('crawl state shows the number of records of the current round', async () => {
  const { url } = await crawlTen()
  const kept = ['-o', path('out.jsonl'), '--state', path('state'), '-w', '1', '-c', '1']
  const round = ['--revisit-after', '0', '--max-pages', '4']
  await callCrawl([`${url}/1`, '-q', '-d', '99', ...kept, ...round])
  const { stdout } = await show()
  expect(stdout).toMatch(/^records +14$/m)
  expect(stdout).toMatch(/^round +2, with 4 records$/m)
})

it('crawl state shows the progress of a crawl, as text and as JSON', async () => {
  const { url } = await crawlTen()
  const run = await show('--json')
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(run.stdout)).toMatchObject({
    progress: 'max-pages',
    tally: { visits: 10, statuses: [[200, 10]] },
    urls: { ready: 11, visited: 10 },
    hosts: 1,
    queues: [{ host: new URL(url).host, waiting: 11 }],
    seen: { added: 21 },
    files: { 'crawl.sqlite': expect.any(Number), 'seen-0.snapshot': expect.any(Number) },
  })
  const { stdout } = await show()
  expect(stdout).toMatch(/^progress +max-pages$/m)
  expect(stdout).toMatch(/^ready +11$/m)
  expect(stdout).toMatch(/^waiting +11 URLs of 127\.0\.0\.1:\d+$/m)
  expect(stdout).toMatch(/^file +crawl\.sqlite, [\d,]+ bytes$/m)
})

it('crawl state exports visits and queue, even while a crawl is using the directory', async () => {
  const { url } = await crawlTen()
  alter(path('state'), `UPDATE urls SET state = 1 WHERE url = '${url}/12'`)
  const [visits, queue] = [await show('--export', 'visits'), await show('--export', 'queue')]
  expect(visits.visits).toHaveLength(10)
  expect(visits.visits[1]).toEqual({
    ...{ url: `${url}/2`, status: 200, bytes: expect.any(Number), depth: 1, via: `${url}/1` },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(queue.visits.map((line) => line.url)).toEqual(
    Array.from({ length: 11 }, (_, at) => `${url}/${at + 11}`),
  )
  expect(queue.visits[0]).toMatchObject({ depth: 3, via: `${url}/5`, host: new URL(url).host })
})

it('crawl state shows a crawl as running while it runs, and as interrupted after it was killed', async () => {
  let isHanging = true
  const site = await serveTree(3, () => until(() => !isHanging))
  const progress = async () => JSON.parse((await show('--json')).stdout || '{}').progress
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const command = [`${site.url}/1`, '-q', '-w', '1', '--state', path('state')]
  const running = runCrawl(command, { onStart: resolve })
  const child = await promise
  await until(async () => (await progress()) === 'running')
  child.kill('SIGKILL')
  expect((await running).code).toBeNull()
  expect(await progress()).toBe('interrupted')
  expect((await show()).stdout).toMatch(/^progress +interrupted$/m)
  isHanging = false
  expect((await callCrawl(command)).code).toBe(0)
  expect(await progress()).toBe('finished')
})

it('crawl state refuses a directory without a state, and an unknown value of --export', async () => {
  await crawlTen()
  await mkdir(path('letters'))
  await writeFile(path('letters', 'crawl.sqlite'), '')
  for (const [directory, reason] of [
    [path('letters'), 'expected the state of a crawl, got none'],
    [path('missing'), 'expected the state of a crawl, got none'],
  ] as const) {
    const run = await callCrawl(['state', directory])
    expect(run).toMatchObject({ code: 6, stdout: '', stderr: `crawl: ${directory}: ${reason}\n` })
  }
  expect(await show('--export', 'hosts')).toMatchObject({
    code: 2,
    stderr: 'crawl: --export: expected visits or queue, got `hosts`\n',
  })
  expect(ask(path('state'), 'SELECT count(*) AS urls FROM urls')).toEqual([{ urls: 21 }])
})

it('crawl state ends quietly when the reader of an export leaves', async () => {
  await crawlTen()
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO urls (key, url, host, state, depth, same_depth_hops, redirects, hop)
    SELECT i, 'http://example.com/' || i, 1, 0, 1, 0, 0, 'link' FROM n`
  alter(path('state'), many)
  const command = ['state', path('state'), '--export', 'queue']
  expect(await leaveEarly(command)).toEqual({ code: 0, stderr: '' })
})

it("crawl state replaces control characters in the directory's name in an error", async () => {
  const { code, stderr } = await callCrawl(['state', path('\u001b[31mred')])
  expect(code).toBe(6)
  expect(stderr).toMatch(/^crawl: \S+\ufffd\[31mred: [^\n]+\n$/)
  expect(stderr).not.toMatch(/[^\P{Cc}\n]/u)
})
