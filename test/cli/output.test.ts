import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { BIN, runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const onLinux = it.runIf(process.platform === 'linux')
const path = useFolder()

/** Runs `crawl <args>` with its output redirected by a shell. `code` is that of crawl. */
async function inShell(args: readonly string[], redirection: string) {
  const script = `{ "$0" "$@"; echo "exit $?" >&2; } ${redirection}`
  const child = spawn('sh', ['-c', script, process.execPath, BIN, ...args])
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  await once(child, 'close')
  const end = /exit (\d+)\n$/.exec(stderr)
  return { stdout, stderr: stderr.slice(0, end?.index), code: Number(end?.[1]) }
}

/** Commands that print something. */
const PRINTING = [['plan'], ['completion', 'bash'], ['diff', '/dev/null', '/dev/null']]
const STDOUTS = ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']

describe('visits', () => {
  it('are JSON lines on stdout, and nothing else is, whatever is logged', async () => {
    const { url } = await serveTree(100)
    const args = ['--log-level', 'trace', '--log-interval', '10ms', '-d', '9']
    const run = await runCrawl([`${url}/1`, '-w', '1', ...args])
    expect(run.code).toBe(0)
    expect(run.visits).toHaveLength(100)
    expect(run.visits.every((visit) => visit.url.startsWith(url))).toBe(true)
    for (const line of run.stderr.trimEnd().split('\n'))
      expect(JSON.parse(line)).toBeTypeOf('object')
  })

  it('are written to a pipe without a warning of Node, for any number of workers', async () => {
    const { url } = await serveTree(1)
    const { code, stderr, visits } = await runCrawl([`${url}/1`, '-w', '12', '-q'])
    expect([code, stderr, visits.length]).toEqual([0, '', 1])
  })

  it('are written to a file with -o', async () => {
    const { url } = await serveTree(50)
    const file = path('visits.jsonl')
    const run = await callCrawl([`${url}/1`, '-w', '1', '-d', '9', '-q', '-o', file])
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' })
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(new Set(lines.map((line) => JSON.parse(line).url)).size).toBe(50)
  })

  it("don't replace a file without --overwrite", async () => {
    const { url } = await serveTree(1)
    const file = path('mine.jsonl')
    await writeFile(file, 'dear data')
    const refused = await callCrawl([`${url}/1`, '-w', '1', '-o', file])
    expect(refused).toMatchObject({
      code: 2,
      stderr: `crawl: ${file}: expected a file that doesn't exist yet; --overwrite replaces it\n`,
    })
    await callCrawl(['ftp://x', '-o', file, '--overwrite'])
    await callCrawl([url, '-o', file, '--overwrite', '--expected-urls', '1e15'])
    expect(await readFile(file, 'utf8')).toBe('dear data')
    expect((await callCrawl([`${url}/1`, '-w', '1', '-q', '-o', file, '--overwrite'])).code).toBe(0)
    expect(await readFile(file, 'utf8')).toMatch(/^\{.+\}\n$/)
  })

  it("whose file can't be written end the crawl before it begins", async () => {
    const file = path('missing', 'visits.jsonl')
    const run = await callCrawl(['http://127.0.0.1:9/', '-o', file])
    expect(run.code).toBe(5)
    expect(run.stderr).toMatch(
      /^crawl: \S+visits\.jsonl: can't be written: its folder doesn't exist\n$/,
    )
  })

  it("are not started if the cookie file couldn't be written at the end", async () => {
    const file = path('missing', 'cookies.txt')
    const run = await callCrawl(['http://127.0.0.1:9/', '-q', '--cookies', file])
    const stderr = `crawl: ${file}: can't be written: ${path('missing')} doesn't exist\n`
    expect(run).toMatchObject({ code: 5, stdout: '', stderr })
  })

  onLinux('end a long crawl and a short one when the disk is full, with one line', async () => {
    const { url } = await serveTree(5_000)
    const line = (name: string) =>
      `crawl: ${name}: can't be written: ENOSPC: no space left on device, write\n`
    const [short, stdout] = await Promise.all([
      callCrawl([`${url}/1`, '-w', '1', '-d', '0', '-q', '-o', '/dev/full']),
      inShell([`${url}/1`, '-w', '1', '-d', '99', '-q'], '> /dev/full'),
    ])
    expect(short).toMatchObject({ code: 5, stderr: line('/dev/full') })
    expect(stdout).toMatchObject({ code: 5, stderr: line('stdout') })
  })

  onLinux.each(chosen(PRINTING, ([command]) => command === 'plan'))(
    'of crawl %s end with one line when the disk is full',
    async (...args) => {
      expect(await inShell(args, '> /dev/full')).toMatchObject({
        code: 5,
        stderr: "crawl: stdout: can't be written: ENOSPC: no space left on device, write\n",
      })
    },
  )

  onLinux.each(chosen(STDOUTS, (name) => name === '/dev/stdout'))(
    'go behind what a file holds that a shell has opened: %s',
    async (name) => {
      const { url } = await serveTree(3)
      const file = path('visits')
      await writeFile(file, 'dear data\n')
      const run = await inShell([`${url}/1`, '-w', '1', '-q', '-o', name], `>> '${file}'`)
      expect(run).toMatchObject({ code: 0, stderr: '' })
      const [first, ...visits] = (await readFile(file, 'utf8')).trimEnd().split('\n')
      expect([first, visits.length]).toEqual(['dear data', 3])
    },
  )

  onLinux.each(chosen([...STDOUTS, '/dev/fd/7'], (name) => name === '/dev/stdout'))(
    'stand between what other commands of a shell write to the same file: %s',
    async (name) => {
      const { url } = await serveTree(3)
      const file = path('visits')
      const script = '(exec 7>&1; echo before; "$0" "$@"; echo after) > "$FILE"'
      const args = [`${url}/1`, '-w', '1', '-q', '-o', name, '-f', 'txt', '--per-host', '1']
      const env = { ...process.env, FILE: file }
      await once(spawn('sh', ['-c', script, process.execPath, BIN, ...args], { env }), 'close')
      const urls = [1, 2, 3].map((page) => `${url}/${page}`)
      expect(await readFile(file, 'utf8')).toBe(['before', ...urls, 'after', ''].join('\n'))
    },
  )

  it.each(['--output', '--skipped', '--links'])(
    'require a non-empty file name: %s ""',
    async (flag) => {
      const { code, stderr } = await callCrawl(['http://127.0.0.1:1/', flag, ''])
      expect(code).toBe(2)
      expect(stderr).toMatch(
        new RegExp(`^crawl: ${flag}: expected a file name[^\n]*, got \`.*\`\n$`),
      )
    },
  )

  onLinux('may go nowhere', async () => {
    const { url } = await serveTree(3)
    const run = await callCrawl([`${url}/1`, '-w', '1', '-q', '-o', '/dev/null'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })
})

/** Number of pages. Their records are longer than the buffers between the crawl and its reader. */
const PAGES = 300

describe('a reader of stdout', () => {
  it('ends the crawl quietly if it leaves early', async () => {
    const { url } = await serveTree(20_000)
    const run = await inShell([`${url}/1`, '-w', '1', '-d', '99', '-q'], '| head -n 1')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/^\{.+\}\n$/)
  })

  it('does not end the crawl if it leaves while there is another output', async () => {
    const { url } = await serveTree(PAGES)
    const file = path('all.jsonl')
    const command = [`${url}/1`, '-w', '1', '-d', '99', '-q', '-o', '-', '-o', file]
    expect(await inShell(command, '| true')).toMatchObject({ code: 0, stderr: '' })
    expect((await readFile(file, 'utf8')).match(/\n/g)).toHaveLength(PAGES)
  })

  it.each(['--links', '--skipped'])('does not end the crawl if it only reads %s', async (list) => {
    const { url } = await serveTree(PAGES)
    const file = path('all.jsonl')
    const command = [`${url}/1`, '-w', '1', '-d', '5', '-q', list, '/dev/stdout', '-o', file]
    expect(await inShell(command, '| true')).toMatchObject({ code: 0, stderr: '' })
    expect((await readFile(file, 'utf8')).match(/\n/g)).toHaveLength(63)
  })

  const readers: [pages: number, command: string][] = [
    [400, 'head -n 1'],
    [3, 'true'],
  ]
  it.each(chosen(readers, ([pages]) => pages === 400))(
    'that leaves after %i pages can read everything from the next run: | %s',
    async (pages, reader) => {
      const { url } = await serveTree(pages)
      const flags = ['-q', '-w', '1', '-d', '99', '--state', path('state')]
      const command = [`${url}/1`, ...flags, '-f', 'graphml']
      const run = await inShell(command, `| ${reader}`)
      expect(run).toMatchObject({ code: 0, stderr: '' })
      const next = await callCrawl(command)
      expect(next).toMatchObject({ code: 0, stderr: '' })
      expect(next.stdout.match(/<node /g)).toHaveLength(pages)
      const loud = command.filter((arg) => arg !== '-q')
      expect((await callCrawl(loud)).stderr).toContain('this crawl is finished')
    },
  )

  it('ends a crawl with --state quietly if it leaves before the last record', async () => {
    const { url } = await serveTree(3)
    const command = [`${url}/1`, '-q', '-w', '1', '--state', path('state')]
    expect(await inShell(command, '| true')).toMatchObject({ code: 0, stderr: '' })
    expect((await callCrawl(command)).visits).toHaveLength(3)
  })

  it.each(chosen(['--help', '--version', '--no-such-flag'], (flag) => flag !== '--version'))(
    'may leave before it reads %s',
    async (flag) => {
      const run = await inShell([flag], '| true')
      expect(run.stderr).not.toMatch(/EPIPE|^\s+at /m)
      expect(run.code).toBe(flag === '--no-such-flag' ? 2 : 0)
    },
  )

  it('that is slow makes the crawl wait with constant memory, and loses nothing', async () => {
    const flags = ['-w', '1', '-d', '99', '-q', '--no-traps']
    // A few lines fill the pipe and the buffers before it.
    const query = 'x'.repeat(2_000)
    const site = await serve(({ url = '' }, response) => {
      const page = Number(/^\/(\d+)\?/.exec(url)?.[1])
      const next = [2 * page, 2 * page + 1].filter((number) => number <= PAGES)
      response.setHeader('content-type', 'text/html')
      response.end(next.map((number) => `<a href="/${number}?${query}">`).join(''))
    })
    const child = spawn(process.execPath, [BIN, `${site.url}/1?${query}`, ...flags])
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdout.pause()
    let before = -1
    while (site.requests.length < 30 || site.requests.length > before) {
      before = site.requests.length
      await sleep(300)
    }
    const memory = await memoryOf(child.pid)
    await sleep(500)
    // On a busy machine, the reader may only seem to have stopped.
    expect(site.requests.length).toBeLessThan(PAGES)
    expect((await memoryOf(child.pid)) - memory).toBeLessThan(20_000)
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) lines.push(line)
    expect(new Set(lines.map((line) => JSON.parse(line).url)).size).toBe(PAGES)
    expect(lines).toHaveLength(PAGES)
  })
})

/** Returns the resident memory of a process in kB; 0 if there is no /proc. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
}
