import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl as callCrawlIn } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const path = useFolder()
/** Runs the command in a directory without a config file. */
const callCrawl = (args: readonly string[]) => callCrawlIn(args, '', { cwd: path() })
const flags = ['--allow-private', '-w', '1']

/** Redirects to a path. */
const to = (location: string) => (_: unknown, response: import('node:http').ServerResponse) =>
  void response.writeHead(301, { location }).end()

/** Returns the lines of the report, without the URL of the site. */
async function check(url: string, ...more: string[]) {
  const { code, stdout } = await callCrawl(['check', `${url}/`, ...flags, ...more])
  return { code, lines: stdout.replaceAll(url, '').trimEnd().split('\n') }
}

async function checkAsJson(url: string, ...more: string[]) {
  return JSON.parse((await callCrawl(['check', `${url}/`, ...flags, ...more, '-f', 'json'])).stdout)
}

it('a working redirect is not broken if robots.txt forbids its target', async () => {
  const { url } = await serveSite({
    '/robots.txt': 'User-agent: *\nDisallow: /secret',
    '/': '<a href=/old>1</a><a href=/older>2</a><a href=/fine>3</a>',
    ...{ '/old': to('/secret'), '/older': to('/old'), '/fine': to('/') },
  })
  const { code, lines } = await check(url)
  expect(code).toBe(0)
  expect(lines).toEqual([
    ...['/', '  redirect  /fine  301 Moved Permanently to /', ''],
    '3 links on 1 page: 1 checked, 2 not checked. 0 broken, 0 missing fragments, 1 redirect.',
    'URLs that were not checked: 1 forbidden by robots.txt.',
  ])
  const json = await checkAsJson(url)
  expect(json).toMatchObject({ links: 3, redirect: 1, unchecked: { robots: 1 } })
  expect(json.findings).toHaveLength(1)
})

it('a working redirect is not broken if --max-pages left its target unchecked', async () => {
  const { url } = await serveSite({ '/': '<a href=/old>1</a>', '/old': to('/new'), '/new': 'x' })
  const { lines } = await check(url, '--max-pages', '2')
  expect(lines).toEqual([
    '1 link on 1 page: 0 checked, 1 not checked. 0 broken, 0 missing fragments, 0 redirects.',
    'URLs that were not checked: 1 left by --max-pages.',
  ])
})

it('a working redirect out of the scope is not broken with --no-external', async () => {
  const { url } = await serveSite({
    '/': '<a href=/old>1</a><img src=/a.png>',
    ...{ '/old': to('http://127.0.0.2:9/'), '/a.png': to('http://127.0.0.2:9/a.png') },
  })
  const { lines } = await check(url, '--no-external')
  expect(lines[0]).toBe(
    '2 links on 1 page: 0 checked, 2 not checked. 0 broken, 0 missing fragments, 0 redirects.',
  )
  const json = await checkAsJson(url, '--no-external')
  expect(json).toMatchObject({ uncheckedImages: 1, unchecked: { 'out-of-scope': 2 } })
})

it('links to other hosts that --exclude or --exclude-path matches are not checked', async () => {
  const missing: RequestListener = (_, response) => void response.writeHead(404).end()
  const away = await startServer(missing, { host: '127.0.0.2' })
  onTestFinished(() => away.close())
  const links = ['/old', '/private/a', '/b'].map((name) => `<a href=${away.url}${name}>`)
  const { url } = await serveSite({
    '/': `${links.join('')}<img src=${away.url}/old.png><a href=/moved>`,
    '/moved': to(`${away.url}/old`),
  })
  const args = ['--exclude', 'old', '--exclude-path', '/private', '--include-path', '/moved']
  const { lines } = await check(url, ...args)
  expect(lines.map((line) => line.replace(away.url, ''))).toEqual([
    ...['/', '  broken    /b  404 Not Found', ''],
    '5 links on 1 page: 1 checked, 4 not checked. 1 broken, 0 missing fragments, 0 redirects.',
    'URLs that were not checked: 3 excluded by --include, --exclude, --include-path or --exclude-path.',
  ])
})

it('a link with nofollow does not count as unchecked if another page leads to its URL', async () => {
  const { url } = await serveSite({
    '/': '<a href=/a rel=nofollow>1</a><a href=/b>2</a>',
    ...{ '/a': 'x', '/b': '<a href=/a>3</a>' },
  })
  expect((await check(url)).lines).toEqual([
    '3 links on 3 pages checked. 0 broken, 0 missing fragments, 0 redirects.',
  ])
})

it('crawl check finds the target of a redirect by its URL after --canonicalize', async () => {
  const { url } = await serveSite({
    '/': '<a href=/old>1</a><a href=/b>2</a>',
    ...{ '/old': to('/a/'), '/a': 'x', '/b': to('/b/') },
  })
  const { lines } = await check(url, '--canonicalize', 'strip-trailing-slash')
  expect(lines).toEqual([
    ...['/', '  redirect  /old  301 Moved Permanently to /a/', ''],
    // The target of the other redirect is merged with the redirecting URL.
    '2 links on 2 pages: 1 checked, 1 not checked. 0 broken, 0 missing fragments, 1 redirect.',
  ])
})

it('crawl check lists pages that --max-body truncated, since some of their links are unknown', async () => {
  const { url } = await serveSite({
    '/': `<a href=/long>1</a>`,
    '/long': `<a href=/>1</a>${'x'.repeat(3_000)}<a href=/gone>2</a>`,
  })
  const { code, lines } = await check(url, '--max-body', '2KiB')
  expect(code).toBe(0)
  expect(lines).toEqual([
    '1 page read in part (--max-body, or the response ended early), without further links:',
    ...['  /long', ''],
    '2 links on 2 pages checked. 0 broken, 0 missing fragments, 0 redirects.',
  ])
  const json = await checkAsJson(url, '--max-body', '2KiB')
  expect(json.truncatedPages).toEqual([`${url}/long`])
  expect(await checkAsJson(url)).toMatchObject({ broken: 1, truncatedPages: [] })
})

describe('an interrupted check', () => {
  async function interrupted(...more: string[]) {
    const site = await serveSite({
      '/': '<a href=/a>1</a><a href=/b>2</a>',
      '/a': (_, response) => void setTimeout(() => response.end(), 200),
    })
    const args = ['check', `${site.url}/`, ...flags, '--per-host', '1', ...more]
    const interruptWhen = until(() => site.requests.some(({ url }) => url === '/a'))
    return callCrawlIn(args, '', { cwd: path(), interruptWhen })
  }

  it('reports that it was interrupted, and how many URLs it left unchecked', async () => {
    const run = await interrupted()
    expect(run.code).toBe(130)
    expect(run.stdout.trimEnd().split('\n')).toEqual([
      '2 links on 1 page: 1 checked, 1 not checked. 0 broken, 0 missing fragments, 0 redirects.',
      'URLs that were not checked: 1 left by the interruption.',
      'The check was interrupted, so it is incomplete.',
    ])
  })

  it('reports that in JSON, and as an error in JUnit XML', async () => {
    const run = await interrupted('-f', 'json', '--junit', path('links.xml'))
    expect(JSON.parse(run.stdout)).toMatchObject({ reason: 'stopped', unchecked: { limit: 1 } })
    expect(await readFile(path('links.xml'), 'utf8')).toContain(
      '<error type="interrupted" message="The check was interrupted, so it is incomplete."/>',
    )
  })
})

it('a seed that does not answer is one failure in JUnit XML, not an error as well', async () => {
  const args = ['check', 'http://127.0.0.1:1/', ...flags, '--junit', path('links.xml')]
  expect((await callCrawl(args)).code).toBe(3)
  const xml = await readFile(path('links.xml'), 'utf8')
  expect(xml.match(/<testcase /g)).toHaveLength(1)
  expect(xml).toContain('<failure type="broken" message="bad-port: ')
  await callCrawl([...args, '--overwrite', '--fail-on', 'fragment'])
  expect(await readFile(path('links.xml'), 'utf8')).toContain('<error type="seed" ')
})

it('a check that fetched no seed is an error in JUnit XML', async () => {
  const { url } = await serveSite({ '/robots.txt': 'User-agent: *\nDisallow: /' })
  const run = await callCrawl(['check', `${url}/`, ...flags, '--junit', path('links.xml')])
  expect(run.code).toBe(3)
  const xml = await readFile(path('links.xml'), 'utf8')
  expect(xml).toContain('<testsuite name="crawl check" tests="1" failures="0" errors="1">')
  expect(xml).toContain(`<testcase classname="crawl check" name="${url}/">`)
  expect(xml).toMatch(/<error type="seed" message="[^"]*robots\.txt[^"]*"\/>/)
  expect(xml).not.toContain('links on')
})
