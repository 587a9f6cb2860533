import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { compressionOf } from '../../src/compressed-files/compression.ts'
import { openFileOutput } from '../../src/output/file-output.ts'
import { callCrawl } from '../support/call-cli.ts'
import { BIN, runCrawl } from '../support/run-cli.ts'
import { startServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const PAGES = 400
const path = useFolder()
const mounts = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })

/** Returns true if this process may mount: root of a container that has that right. */
function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    mkdirSync('/tmp/orbweaver-mount', { recursive: true })
    mounts('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/tmp/orbweaver-mount')
    execFileSync('umount', ['/tmp/orbweaver-mount'])
    return true
  } catch {
    return false
  }
}

/** Mounts a disk of this size for one test. */
function mountDisk(size: string): void {
  mkdirSync(path('disk'))
  mounts('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path('disk'))
  onTestFinished(() => void execFileSync('umount', ['-l', path('disk')]))
}

const flags = () => ['-q', '--no-traps', '-d', '99', '--expected-urls', '10000']
const kept = () => ['-o', path('disk', 'out.jsonl'), '--state', path('disk', 'state')]

it.runIf(mayMount())(
  'a full disk ends a crawl with one sentence; with more space the same command finishes (needs root)',
  async () => {
    mountDisk('300k')
    const site = await serveTree(PAGES)
    const command = [`${site.url}/1`, ...flags(), ...kept()]
    for (const size of chosen(['400k', '64m'], (_, at) => at === 1)) {
      const run = await runCrawl(command)
      expect(run).toMatchObject({ code: 5, stdout: '' })
      expect(run.stderr).toMatch(/^crawl: .+: can't be written: .+\n$/)
      expect(run.stderr.split('\n')).toHaveLength(2)
      mounts('-o', `remount,size=${size}`, path('disk'))
    }
    expect((await callCrawl(command)).code).toBe(0)
    const urls = (await visitsIn(path('disk', 'out.jsonl'))).map(({ url }) => url)
    expect(urls).toHaveLength(PAGES)
    expect(new Set(urls).size).toBe(PAGES)
  },
)

it.runIf(mayMount())(
  'a crawl whose disk is full before its first commit leaves no output files, so the same command starts it later (needs root)',
  async () => {
    mountDisk('40k')
    const site = await serveTree(3)
    const mirror = ['--save-bodies', path('disk', 'mirror'), '-o', path('disk', 'out.warc.gz')]
    const command = [`${site.url}/1`, ...flags(), ...kept(), ...mirror]
    for (const size of chosen(['80k', '100k', '120k', '64m'], (_, at) => at % 2 === 1)) {
      expect(await callCrawl(command)).toMatchObject({ code: 5, stdout: '' })
      expect(readdirSync(path('disk')).filter((name) => name !== 'state')).toEqual([])
      mounts('-o', `remount,size=${size}`, path('disk'))
    }
    expect((await callCrawl(command)).code).toBe(0)
    expect(await visitsIn(path('disk', 'out.jsonl'))).toHaveLength(3)
  },
)

it.runIf(mayMount())('a compressed file also says that the disk is full (needs root)', async () => {
  mountDisk('4k')
  writeFileSync(path('disk', 'rest'), Buffer.alloc(4_096))
  const file = path('disk', 'visits.jsonl.gz')
  const output = await openFileOutput(file, { compression: compressionOf(file) })
  output.open({ drained() {}, closed() {}, failed() {} })
  output.write(['no room\n'])
  const message = `${file}: can't be written: ENOSPC: no space left on device, write`
  await expect(output.sync()).rejects.toMatchObject({ kind: 'output', message })
  await expect(output.close()).rejects.toMatchObject({ message })
})

it.runIf(mayMount())(
  'a disk that fills up while stdout is written ends a command with 5 (needs root)',
  async () => {
    mountDisk('4k')
    const out = openSync(path('disk', 'out'), 'w')
    const args = [BIN, 'completion', 'bash']
    const run = spawnSync(process.execPath, args, { stdio: ['ignore', out, 'pipe'] })
    closeSync(out)
    expect(String(run.stderr)).toMatch(/^crawl: stdout: can't be written: ENOSPC.+\n$/)
    expect(run.status).toBe(5)
  },
)

it.runIf(mayMount())(
  'a report that the disk has no space for leaves no file behind (needs root)',
  async () => {
    mountDisk('4k')
    writeFileSync(path('visits.jsonl'), '{"url":"http://a.test/"}\n')
    const run = await callCrawl(['report', path('visits.jsonl'), '-o', path('disk', 'report.html')])
    expect(run.stderr).toMatch(/report\.html: can't be written: ENOSPC.+\n$/)
    expect(run.code).toBe(5)
    expect(readdirSync(path('disk'))).toEqual([])
  },
)

it.runIf(mayMount()).each([
  ['check', (url: string) => ['check', url, '-d', '0']],
  ['crawl to a graph', (url: string) => [url, '-d', '0', '-o', path('graph.dot')]],
] as const)(
  'a %s names its folder for temporary files when that is full (needs root)',
  async (_, commandOn) => {
    mountDisk('64k')
    const query = 'q'.repeat(1_000)
    const links = Array.from({ length: 9_500 }, (_, at) => `<a href="/${at}?${query}">`)
    const site = await startServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(links.join(''))
    })
    const command = [...commandOn(`${site.url}/`), '--max-body', '20MiB', '-q']
    const run = await runCrawl(command, { env: { TMPDIR: path('disk') } })
    const why = "can't be written: database or disk is full"
    const remedy = 'set TMPDIR to another folder for temporary files'
    const stderr = `crawl: ${path('disk')}: ${why}; ${remedy}\n`
    expect(run).toMatchObject({ code: 5, stdout: '', stderr })
  },
)

it.runIf(mayMount())(
  'a crawl to a database also names its folder for temporary files, with which it sorts (needs root)',
  async () => {
    mountDisk('64k')
    const links = Array.from({ length: 100_000 }, (_, at) => `<a href="/${at}">`)
    const site = await startServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(links.join(''))
    })
    const file = path('site.sqlite')
    const run = await runCrawl([`${site.url}/`, '-d', '0', '-o', file, '-q'], {
      env: { TMPDIR: path('disk') },
    })
    const why = `can't be written: database or disk is full, there or in ${path('disk')}`
    const remedy = 'set TMPDIR to another folder for temporary files'
    expect(run).toMatchObject({ code: 5, stderr: `crawl: ${file}: ${why}; ${remedy}\n` })
  },
)

it.runIf(mayMount())('a read-only directory is refused, but can be read (needs root)', async () => {
  mountDisk('4m')
  const site = await serveTree(3)
  const command = [`${site.url}/1`, ...flags(), ...kept(), '--max-pages', '1']
  expect((await callCrawl(command)).code).toBe(0)
  mounts('-o', 'remount,ro', path('disk'))
  const message = 'expected a directory that can be written, got a read-only one'
  expect(await callCrawl(command)).toMatchObject({
    code: 6,
    stdout: '',
    stderr: `crawl: ${path('disk', 'state')}: ${message}\n`,
  })
  const shown = await callCrawl(['state', path('disk', 'state'), '--export', 'visits'])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain(`"url":"${site.url}/1"`)
})
