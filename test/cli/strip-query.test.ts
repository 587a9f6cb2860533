import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const home =
  '<a href=/a?sort=1>1</a><a href=/a?sort=2>2</a><a href=/b?id=1&sort=1>3</a><a href=/b?sort=3&id=1>4</a><a href=/go?x>'
const site = () =>
  serveSite({
    ...{ '/': home, '/a': '', '/b': '', '/b?id=1': '', '/c': '', '/go?x': '' },
    '/go': (_, response) => response.writeHead(302, { location: '/c?sort=1' }).end(),
  })

async function crawled(url: string, ...args: readonly string[]) {
  const { code, stderr, visits } = await callCrawl([url, '-q', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return visits.map((visit) => visit.url.slice(url.length)).sort()
}

it('--strip-query fetches each page once, for all queries of its links', async () => {
  const { url } = await site()
  expect(await crawled(url, '--strip-query')).toEqual(['/', '/a', '/b', '/c', '/go'])
  const named = ['/', '/a', '/b?id=1', '/go?x']
  expect(await crawled(url, '--strip-query', 'sort,page')).toEqual(named)
})

it('--strip-query is stored by --state, and a crawl without it is refused', async () => {
  const { url } = await site()
  const kept = ['--state', path('state'), '-o', path('visits.jsonl')]
  await crawled(url, '--strip-query', ...kept, '--max-pages', '2')
  const other = await callCrawl([url, '-q', ...kept])
  expect([other.code, other.stderr]).toEqual([
    6,
    expect.stringContaining('--strip-query was set and is not set now'),
  ])
  const resumed = await callCrawl(['-q', '--state', path('state')])
  expect([resumed.code, resumed.stderr]).toEqual([0, ''])
  const known = ['/a?sort=7', '/a', '/b?y', '/d'].map((name) => url + name)
  const { stdout } = await callCrawl(['seen', path('state'), 'has', ...known])
  expect(stdout.match(/\b(?:true|false)\b/g)).toEqual(['true', 'true', 'true', 'false'])
})

it("--strip-query doesn't take a seed as the name of a parameter", async () => {
  const { code, stderr } = await callCrawl(['--strip-query', 'http://127.0.0.1:9/'])
  expect([code, stderr]).toEqual([
    2,
    'crawl: expected at least one seed URL, got none but http://127.0.0.1:9/, which --strip-query took; crawl --help shows more\n',
  ])
})
