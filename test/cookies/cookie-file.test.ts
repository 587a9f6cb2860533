import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CookieFile } from '../../src/cookies/cookie-file.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()

it.skipIf(process.platform === 'win32')(
  'a cookie file may not be a device or a pipe, since it would be replaced at the end',
  () => {
    execFileSync('mkfifo', [path('pipe')])
    expect(() => new CookieFile(path('pipe'), () => {})).toThrow(
      `${path('pipe')}: expected a cookie file, which is written again at the end, got a device or a pipe`,
    )
    expect(statSync(path('pipe')).isFIFO()).toBe(true)
  },
)

it('a missing cookie file causes a warning, since its name may be misspelled', async () => {
  const site = await serveSite({ '/': '' })
  const [file, how] = [path('typo.txt'), ['--log-level', 'warn', '--log-format', 'text']]
  const warning = `${file} does not exist: starting without cookies`
  const crawl = () => callCrawl([site.url, '--cookies', file, ...how])
  expect((await crawl()).stderr).toMatch(new RegExp(`^.+ WARN.*: ${warning}\n$`))
  expect(await crawl()).toMatchObject({ code: 0, stderr: '' })
})

it('a cookie file may begin with a byte order mark', () => {
  for (const head of ['# Netscape HTTP Cookie File\n', '']) {
    writeFileSync(path('marked.txt'), `\uFEFF${head}example.com\tFALSE\t/\tFALSE\t0\tname\tvalue\n`)
    const { jar } = new CookieFile(path('marked.txt'), () => {})
    expect(jar.headerFor('http://example.com/')).toBe('name=value')
  }
})

it('a cookie file with bytes above ASCII is sent and written byte by byte', () => {
  const line = 'example.com\tFALSE\t/\tFALSE\t0\tname\tcafé €'
  writeFileSync(path('utf8.txt'), `${line}\n`)
  const file = new CookieFile(path('utf8.txt'), () => {})
  const sent = Buffer.from(file.jar.headerFor('http://example.com/') ?? '', 'latin1')
  expect(sent.toString()).toBe('name=café €')
  file.write()
  expect(readFileSync(path('utf8.txt'), 'utf8')).toContain(line)
})

const jarOf = (session: string) =>
  `# Netscape HTTP Cookie File\n\n127.0.0.1\tFALSE\t/\tFALSE\t2000000000\tsession\t${session}\n`

/** Serves three pages that link to the next, with a cookie. */
const serveThree = (onLast = () => {}) =>
  serveSite({
    '/': '<a href=/1>x</a>',
    '/1': '<a href=/2>x</a>',
    '/2': (_, response) => {
      onLast()
      response.setHeader('set-cookie', 'given=1; Path=/')
      response.end('page')
    },
  })

it('a cookie file is read by the next run if it was replaced between two runs', async () => {
  const site = await serveThree()
  const [file, state] = [path('cookies.txt'), ['--state', path('state'), '-o', path('out.jsonl')]]
  const command = [site.url, '-q', '--ignore-robots', '--cookies', file, ...state]
  const sent = () => site.requests.map(({ headers }) => headers.cookie)
  writeFileSync(file, jarOf('old'))
  await callCrawl([...command, '--max-pages', '1'])
  writeFileSync(file, jarOf('new'))
  await callCrawl([...command, '--max-pages', '2'])
  expect(sent()).toEqual(['session=old', 'session=new'])
  await callCrawl(command)
  expect(sent().slice(2)).toEqual(['session=new'])
  expect(readFileSync(file, 'utf8')).toContain('\tgiven\t1\n')
})

it('a cookie file is read by the next run if its original content was restored', async () => {
  const site = await serveSite({
    '/': (_, response) => {
      response.setHeader('set-cookie', 'session=given; Path=/; Max-Age=3600')
      response.setHeader('content-type', 'text/html')
      response.end('<a href=/1>x</a>')
    },
    '/1': 'page',
  })
  const [file, state] = [path('cookies.txt'), ['--state', path('state'), '-o', path('out.jsonl')]]
  const command = [site.url, '-q', '--ignore-robots', '--cookies', file, ...state]
  writeFileSync(file, jarOf('own'))
  await callCrawl([...command, '--max-pages', '1'])
  expect(readFileSync(file, 'utf8')).toContain('\tgiven\n')
  writeFileSync(file, jarOf('own'))
  await callCrawl(command)
  expect(site.requests.map(({ headers }) => headers.cookie)).toEqual(Array(2).fill('session=own'))
})

it('a cookie file need not be named again on resume for its cookies to be sent', async () => {
  const site = await serveThree()
  const [file, state] = [path('cookies.txt'), ['--state', path('state'), '-o', path('out.jsonl')]]
  writeFileSync(file, jarOf('kept'))
  const command = [site.url, '-q', '--ignore-robots', ...state]
  await callCrawl([...command, '--max-pages', '1', '--cookies', file])
  await callCrawl([...command, '--cookies'])
  expect(site.requests.map(({ headers }) => headers.cookie)).toEqual(Array(3).fill('session=kept'))
})

it("a cookie file is written by the next run if it couldn't be written at the end", async () => {
  const folder = path('folder')
  let isFirst = true
  const site = await serveThree(() => {
    if (isFirst) rmSync(folder, { recursive: true })
    isFirst = false
  })
  const [file, state] = [join(folder, 'a.txt'), ['--state', path('state'), '-o', path('out.jsonl')]]
  const command = [site.url, '-q', '--ignore-robots', '--cookies', file, ...state]
  mkdirSync(folder)
  expect(await callCrawl(command)).toMatchObject({ code: 5 })
  mkdirSync(folder)
  expect(await callCrawl(command)).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toContain('\tgiven\t1\n')
  expect((await visitsIn(path('out.jsonl'))).map(({ status }) => status)).toEqual([200, 200, 200])
})

it('a crawl that fails keeps its own error if its cookies cannot be written, either', async () => {
  mkdirSync(path('folder'))
  writeFileSync(path('folder/cookies.txt'), jarOf('old'))
  const output = path('removed.jsonl')
  const site = await serveThree(() => {
    rmSync(output)
    rmSync(path('folder'), { recursive: true })
  })
  const files = ['--cookies', path('folder/cookies.txt'), '-o', output]
  const run = await callCrawl([site.url, '--ignore-robots', '--log-level', 'warn', ...files])
  expect(run.code).toBe(5)
  expect(run.stderr).toContain(`${output}: can't be written: it was removed`)
  expect(run.stderr).toMatch(/"level":40,.*cookies\.txt: can't be written/)
})
