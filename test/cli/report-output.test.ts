import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { link, readFile, writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { BIN } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const VISIT = '{"url":"http://a.test/","status":200}\n'

it.each(['visits', 'links', 'log'])(
  'a report never overwrites its input of %s, under any name',
  async (setting) => {
    await Promise.all(
      ['visits', 'links', 'log'].map((name) =>
        writeFile(path(name), name === 'visits' ? VISIT : ''),
      ),
    )
    await link(path(setting), path('same'))
    const files = [path('visits'), '--links', path('links'), '--log', path('log')]
    const run = await callCrawl(['report', ...files, '-o', path('same'), '--overwrite'])
    expect(run).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('same')}: expected a separate file, got the same file as ${path(setting)}\n`,
    })
    expect(await readFile(path('visits'), 'utf8')).toBe(VISIT)
  },
)

it('a report without --output goes to a new file if stdout is a terminal, and its name is printed', async () => {
  const folder = process.cwd()
  process.chdir(path())
  onTestFinished(() => process.chdir(folder))
  await writeFile('visits', VISIT)
  const report = (...args: string[]) =>
    callCrawl(['report', 'visits', ...args], '', { isTerminal: true })
  for (const name of ['report.html', 'report-2.html', 'report-3.html']) {
    expect(await report()).toMatchObject({
      ...{ code: 0, stdout: '', stderr: `crawl: the report is in ${name}\n` },
    })
    expect((await readFile(name, 'utf8')).length).toBeGreaterThan(1_000)
  }
  expect((await report('--overwrite')).stderr).toBe('crawl: the report is in report.html\n')
  expect((await report('-o', '-')).stdout.length).toBeGreaterThan(1_000)
})

it('a report that is killed while it reads leaves no file, and keeps one that it would replace', async () => {
  await writeFile(path('old.html'), 'old')
  for (const name of ['new.html', 'old.html']) {
    const args = ['report', '-', '-o', path(name), '--overwrite']
    const child = spawn(process.execPath, [BIN, ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
    const closed = once(child, 'close')
    // More than a pipe holds, so some of it was read.
    await new Promise((resolve) => child.stdin?.write(VISIT.repeat(10_000), resolve))
    child.kill('SIGINT')
    expect(await closed).toEqual([null, 'SIGINT'])
  }
  expect(existsSync(path('new.html'))).toBe(false)
  expect(await readFile(path('old.html'), 'utf8')).toBe('old')
})

it('a report is not written to an input file that the shell has just truncated', async () => {
  const visits = path('visits')
  const script = `echo '{}' > "$0"; exec "$@" > "$0"`
  const child = spawn('sh', ['-c', script, visits, process.execPath, BIN, 'report', visits])
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  const message = `crawl: stdout: expected a separate file, got the same file as ${visits}\n`
  expect([code, stderr]).toEqual([2, message])
})

it('a report reads stdin for -, which may stand for one of its inputs only', async () => {
  const run = await callCrawl(['report', '-', '-o', path('r.html')], VISIT)
  expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const page = await readFile(path('r.html'), 'utf8')
  expect(page.includes('<title>Crawl report: stdin</title>')).toBe(true)
  expect(page.includes('["a.test",1,0,0]')).toBe(true)
  const twice = await callCrawl(['report', '-', '--links', '-', '-o', path('r2.html')], VISIT)
  expect(twice).toMatchObject({
    ...{ code: 2, stderr: 'crawl: --links: expected a file, since stdin is already <visits>\n' },
  })
  const visits = path('visits')
  await writeFile(visits, VISIT)
  const links = '{"from":"http://a.test/","to":"http://b.test/lost"}\n'
  const withLinks = ['report', visits, '--links', '-']
  expect(await callCrawl(withLinks, links)).toMatchObject({ code: 0, stderr: '' })
  expect(await callCrawl(withLinks, '{}\n')).toMatchObject({
    ...{ code: 2, stderr: expect.stringMatching(/^crawl: stdin: line 1: expected a link/) },
  })
})
