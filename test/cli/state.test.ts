import type { ChildProcess } from 'node:child_process'
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { ask, useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

const PAGES = 120
const path = useFolder()
const args = (site: SiteServer) => [`${site.url}/1`, '-d', '99', '-q']
const kept = () => ['-o', path('out.jsonl'), '--state', path('state')]

/** Number of pages that the site still responds to. The crawl can't finish before it is killed. */
let room = Number.POSITIVE_INFINITY
const gatedTree = () =>
  serveTree(PAGES, async () => {
    await until(() => room > 0)
    room--
  })

/** Returns the number of pages whose visits are committed. */
function committed(state = path('state')): number {
  try {
    return Number(ask(state, 'SELECT count(*) AS count FROM visits')[0]?.['count'])
  } catch {
    return 0 // no database yet
  }
}

/** Runs a crawl, and kills it once this many pages are done and others are in flight. */
async function killAfter(pages: number, command: readonly string[], cwd = path()) {
  room = pages + 20 - committed()
  const kill = async (child: ChildProcess) => {
    await until(() => committed() >= pages || child.exitCode !== null)
    child.kill('SIGKILL')
    room = Number.POSITIVE_INFINITY
  }
  const run = await runCrawl(command, { cwd, onStart: (child) => void kill(child) })
  expect(run.code).toBe(null)
  return run
}

async function expectAll(pages = PAGES, file = path('out.jsonl')): Promise<void> {
  const urls = (await visitsIn(file)).map(({ url }) => url)
  expect(urls).toHaveLength(pages)
  expect(new Set(urls).size).toBe(pages)
}

describe('a crawl that was killed', () => {
  it('continues with the same command, whatever was left behind', async () => {
    const site = await gatedTree()
    const command = [...args(site), ...kept()]
    await killAfter(50, command)
    expect((await stat(path('state', 'crawl.sqlite-wal'))).size).toBeGreaterThan(0)
    await writeFile(path('state', 'pid'), `${process.pid}\n`)
    await appendFile(path('out.jsonl'), '{"url":"http://of.another/","status":2')
    expect(await callCrawl(command)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    await expectAll()
    expect(ask(path('state'), 'SELECT DISTINCT state FROM urls')).toEqual([{ state: 2 }])
    await expect(stat(path('state', 'pid'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(site.requests.filter(({ url }) => url === '/robots.txt')).toHaveLength(1)
  })

  it('continues with --state alone, from any directory', async () => {
    const site = await gatedTree()
    await mkdir(path('a'))
    await mkdir(path('b'))
    const there = ['-o', '../out.jsonl', '--state', '../state']
    await killAfter(50, [...args(site), ...there], path('a'))
    const alone = await callCrawl(['--state', '../state'], '', { cwd: path('b') })
    expect(alone).toMatchObject({ code: 0, stdout: '' })
    await expectAll()
  })

  it('continues the numbers of stdout records from the last commit', async () => {
    const site = await gatedTree()
    const command = [...args(site), '--state', path('state')]
    const first = (await killAfter(70, command)).visits
    const second = (await callCrawl(command)).visits
    const [{ seq: from = 0 } = {}] = second
    expect(first.map(({ seq }) => seq)).toEqual(first.map((_, at) => at + 1))
    expect(second.map(({ seq }) => seq)).toEqual(second.map((_, at) => at + from))
    expect(from).toBeGreaterThan(70)
    const whole = [...first.slice(0, from - 1), ...second]
    expect(whole).toHaveLength(PAGES)
    expect(new Set(whole.map(({ url }) => url)).size).toBe(PAGES)
  })
})

describe('a crawl that ended', () => {
  it('at --max-pages continues with a higher limit, and then reports that it is finished', async () => {
    const site = await serveTree(40)
    const command = [...args(site), ...kept()]
    for (const limit of [10, 10]) {
      expect((await callCrawl([...command, '--max-pages', `${limit}`])).code).toBe(0)
      await expectAll(limit)
    }
    expect((await callCrawl(command)).code).toBe(0)
    await expectAll(40)
    expect(site.requests).toHaveLength(41)
    const before = await readFile(path('out.jsonl'), 'utf8')
    const message = `crawl: ${path('state')}: this crawl is finished, with 40 visits; --revisit-after <duration> visits its pages again, and another --state begins a new crawl\n`
    const again = await callCrawl(['--state', path('state')])
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: message })
    expect(site.requests).toHaveLength(41)
    expect(await readFile(path('out.jsonl'), 'utf8')).toBe(before)
  })
})

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const isTried = (signal: string) => signal === 'SIGTERM'

it.each(chosen(SIGNALS, isTried))(
  "at %s doesn't wait for a hanging request, and continues where it was",
  async (signal) => {
    let isHanging = true
    const site = await serveTree(30, () => (isHanging ? sleep(3_600_000) : sleep(1)))
    const hangs = await serveTree(30, async () => {})
    const [out, state] = [path(`${signal}.jsonl`), path(signal)]
    const command = [
      `${hangs.url}/1`,
      ...args(site),
      '--timeout',
      '1h',
      '-o',
      out,
      '--state',
      state,
    ]
    const interrupt = async (child: ChildProcess) => {
      await until(() => committed(state) >= 30)
      child.kill(signal)
    }
    const run = await runCrawl(command, { onStart: (child) => void interrupt(child) })
    expect(run.code).toBe(130)
    await expectAll(30, out)
    isHanging = false
    expect((await callCrawl(command)).code).toBe(0)
    await expectAll(60, out)
  },
)
