import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { BIN, type CrawlRun, runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()

/** Returns the summary, which is the object in the last line of the log. */
function summaryOf(run: CrawlRun): Record<string, unknown> {
  return JSON.parse(run.stderr.trimEnd().split('\n').at(-1) ?? '')
}

/** Serves a site that never responds, except for its robots.txt. */
function serveSilence(): Promise<SiteServer> {
  return serve((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
  })
}

/** Starts a crawl of a silent site, and calls `act` once a page was requested. */
async function interrupt(
  act: (child: ChildProcess) => Promise<void> | void,
  ...flags: readonly string[]
) {
  const site = await serveSilence()
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const args = [`${site.url}/`, '-w', '1', '--timeout', '1h', ...flags]
  const running = runCrawl(args, { onStart: resolve })
  const child = await promise
  await until(() => site.requests.length >= 2)
  await act(child)
  return running
}

/** Resolves when the process has reported on stderr that it is stopping. */
async function stopping(child: ChildProcess): Promise<void> {
  for await (const text of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    if (`${text}`.includes('Stopping')) return
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

describe.each(chosen(SIGNALS, (signal) => signal === 'SIGINT'))('%s', (signal) => {
  it('finishes the requests in flight, and prints the summary', async () => {
    const site = await serveTree(10_000, () => sleep(20))
    const run = await runCrawl([`${site.url}/1`, '-d', '99', '-w', '2', '-c', '1'], {
      signalAfter: { visits: 20, signal },
    })
    expect(run.code).toBe(130)
    const { visits } = run
    expect(visits.length).toBeGreaterThanOrEqual(20)
    expect(visits.length).toBeLessThan(5_000)
    expect(site.requests).toHaveLength(visits.length + 1)
    expect(visits.every(({ status }) => status === 200)).toBe(true)
    expect(summaryOf(run)).toMatchObject({ reason: 'stopped', visits: visits.length, inFlight: 0 })
    expect(run.stderr).toMatch(/Stopping: \d+ requests in flight; interrupt again to end at once/)
  })
})

it('a second signal of any kind ends the crawl at once', async () => {
  const run = await interrupt(async (child) => {
    child.kill('SIGHUP')
    await stopping(child)
    child.kill('SIGTERM')
  })
  expect(run.code).toBe(130)
  // The crawl would log a summary after it had waited in vain for the request.
  expect(run.stderr).not.toContain('"reason"')
  expect(run.stderr).not.toMatch(/^\s+at /m)
})

it.each([1, 2])(
  'a crawl that is interrupted %i times before its first visit leaves no empty file behind',
  async (times) => {
    const output = path('visits.jsonl')
    const run = await interrupt(
      async (child) => {
        child.kill('SIGINT')
        await stopping(child)
        if (times === 2) child.kill('SIGINT')
      },
      ...['--timeout', '1s', '-o', output, '--save-bodies', path('mirror')],
    )
    expect(run.code).toBe(130)
    expect(readdirSync(path())).toEqual([])
  },
)

it('an interrupted crawl counts a URL whose request was aborted as waiting', async () => {
  const run = await interrupt((child) => void child.kill('SIGINT'), '--timeout', '2s')
  expect(run.code).toBe(130)
  expect(summaryOf(run)).toMatchObject({ reason: 'stopped', queued: 1, skipped: { limit: 1 } })
})

/**
 * Writes a hook that opens a pipe which nobody reads. That keeps a system thread from ending, as a lookup of a name
 * does. No timer ends it, so a crawl that ends doesn't wait for it.
 */
async function writeBlockingHook(isAwaited: boolean): Promise<string[]> {
  execFileSync('mkfifo', [path('pipe')])
  const open = `open(${JSON.stringify(path('pipe'))}, 'w')`
  const hook = `import { open } from 'node:fs/promises'
    export ${isAwaited ? 'async ' : ''}function onPage() { ${isAwaited ? 'await ' : ''}${open}; return {} }`
  await writeFile(path('hooks.mjs'), hook)
  await writeFile(path('config.json'), JSON.stringify({ hooks: path('hooks.mjs'), workers: 1 }))
  return ['--config', path('config.json')]
}

describe.runIf(process.platform !== 'win32')('a blocked system thread', () => {
  it("doesn't delay the end at a second interrupt", async () => {
    const hook = await writeBlockingHook(true)
    const site = await serveTree(1)
    const run = await runCrawl([`${site.url}/1`, ...hook], {
      onStart: async (child) => {
        await until(() => site.requests.some(({ url }) => url === '/1'))
        child.kill('SIGINT')
        await stopping(child)
        child.kill('SIGINT')
      },
    })
    expect(run.code).toBe(130)
    expect(run.stderr).not.toContain('"reason"')
  })

  it("doesn't delay the end of a finished crawl, and loses no output", async () => {
    const hook = await writeBlockingHook(false)
    const site = await serveTree(20)
    const run = await runCrawl([`${site.url}/1`, '-d', '9', ...hook])
    expect(run.code).toBe(0)
    expect(run.visits).toHaveLength(20)
    expect(summaryOf(run)).toMatchObject({ reason: 'finished', visits: 20 })
  })
})

it.runIf(process.platform !== 'win32')(
  'an interrupt ends a crawl that waits for a reader of a pipe, which it logs',
  async () => {
    execFileSync('mkfifo', [path('pipe')])
    const site = await serveTree(1)
    const run = await runCrawl([`${site.url}/1`, '-o', path('pipe')], {
      onStart: (child) => void child.stderr?.once('data', () => child.kill('SIGINT')),
    })
    expect(JSON.parse(run.stderr).msg).toBe(`Waiting for a reader of ${path('pipe')}`)
    expect(site.requests).toEqual([])
  },
)

it('a crawl keeps its state at SIGHUP; the next run loses and repeats nothing', async () => {
  const site = await serveTree(100, () => sleep(5))
  const kept = ['-o', path('out.jsonl'), '--state', path('state')]
  const command = [`${site.url}/1`, '-d', '99', '-q', ...kept]
  const onStart = async (child: ChildProcess) => {
    await until(() => site.requests.length > 20)
    child.kill('SIGHUP')
  }
  expect((await runCrawl(command, { onStart })).code).toBe(130)
  const before = await visitsIn(path('out.jsonl'))
  expect(before.length).toBeLessThan(100)
  expect(site.requests).toHaveLength(before.length + 1)
  expect((await callCrawl(command)).code).toBe(0)
  const urls = (await visitsIn(path('out.jsonl'))).map(({ url }) => url)
  expect(new Set(urls).size).toBe(100)
  expect(urls).toHaveLength(100)
  expect(site.requests.filter(({ url }) => url !== '/robots.txt')).toHaveLength(100)
})

it.skipIf(process.platform !== 'linux').each([
  ['started by nohup', 'nohup "$0" "$@"'],
  ['in a script that ignores SIGHUP', `trap '' HUP; "$0" "$@"; exit $?`],
])('a crawl %s continues after its terminal was closed', async (_, script) => {
  const site = await serveTree(60, () => sleep(5))
  const command = [process.execPath, BIN, `${site.url}/1`, '-d', '99', '-o', path('out.jsonl')]
  const shell = spawn('bash', ['-c', script, ...command], { detached: true, stdio: 'ignore' })
  const ended = once(shell, 'exit')
  await until(() => site.requests.length > 5)
  // As a shell does it whose terminal was closed, for all processes of a job.
  process.kill(-(shell.pid ?? 0), 'SIGHUP')
  expect(await ended).toEqual([0, null])
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(60)
})

it('a crawl ignores SIGUSR1, without opening a debugger', async () => {
  const site = await serveTree(60, () => sleep(5))
  const run = await runCrawl([`${site.url}/1`, '-d', '99'], {
    signalAfter: { visits: 5, signal: 'SIGUSR1' },
  })
  expect(run.code).toBe(0)
  expect(run.visits).toHaveLength(60)
  expect(run.stderr).not.toMatch(/debugger|inspector/i)
})
