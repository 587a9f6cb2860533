import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { load } from 'cheerio'
import { expect, it } from 'vitest'
import type { DataTable, LinkingPages } from '../../src/inspect/report/embedded-rows.ts'
import { htmlReport } from '../../src/inspect/report/html-report.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const PAGES = ['/', '/a', '/b']
const LINKS = ['/a', '/b', '/moved', '/lost', '/moved/again']

/** Returns, for each broken URL, how it ended and the pages that link to it, with the redirects in between. */
function brokenIn(html: string, site: string): unknown[] {
  const tables: readonly DataTable[] = JSON.parse(load(html)('#data').text())
  expect(tables.map(({ id }) => id)).toEqual(['broken', 'redirects', 'large', 'hosts'])
  const short = (url: unknown) => String(url).replace(site, '')
  return (tables[0]?.rows ?? []).map((row) => {
    const { pages } = row.at(-1) as LinkingPages
    const linked = pages.map(({ url, by = [] }) => [url, ...by].map(short).join(' '))
    return [row[0], short(row[1]), linked.sort()]
  })
}

it('a report reads a directory of --state, and the link file of its crawl, not another of that name', async () => {
  const site = await serve(({ url = '' }, response) => {
    if (url === '/moved') response.writeHead(301, { location: '/lost/moved' }).end()
    else if (!PAGES.includes(url)) response.writeHead(404).end()
    else {
      const links = LINKS.map((href) => `<a href="${href}">x</a>`).join('')
      response.writeHead(200, { 'content-type': 'text/html' }).end(links)
    }
  })
  const kept = ['--state', path('state'), '--links', path('links.jsonl')]
  const crawl = [`${site.url}/`, '-o', path('visits.jsonl'), ...kept, '-w', '1', '-c', '1']
  const { code, stderr: log } = await callCrawl(crawl)
  expect(code).toBe(0)
  await writeFile(path('crawl.log'), log)
  const files = ['--log', path('crawl.log'), '-o', path('report.html')]
  const report = ['report', path('state'), ...files]
  expect(await callCrawl(report)).toMatchObject({ code: 0, stderr: '' })

  const whole = await readFile(path('report.html'), 'utf8')
  const page = load(whole)
  expect(page('head > title').text()).toBe('Crawl report: state')
  expect(
    page('.tile dd:not(.detail)')
      .toArray()
      .slice(0, 4)
      .map((tile) => page(tile).text()),
  ).toEqual(['7', '3', '1', '3'])
  expect(
    page('main > .panel h2, main > .panels h2')
      .toArray()
      .map((head) => page(head).text()),
  ).toEqual(['Throughput', 'Outcome', 'Links from a seed'])
  expect(page('#log h2').first().text()).toBe('Over time')
  expect(brokenIn(whole, site.url)).toEqual([
    [404, '/lost', PAGES],
    [404, '/lost/moved', PAGES.map((url) => `${url} /moved`)],
    [404, '/moved/again', PAGES],
  ])

  await rename(path('links.jsonl'), path('own.jsonl'))
  await writeFile(path('links.jsonl'), await readFile(path('own.jsonl')))
  expect(brokenIn(await htmlReport({ visits: path('state') }), site.url)).toEqual([
    [404, '/lost', ['/']],
    [404, '/lost/moved', ['/ /moved']],
    [404, '/moved/again', ['/']],
  ])
})

it('a report exits with 2 for a directory without a state', async () => {
  await mkdir(path('letters'))
  await writeFile(path('letters', 'crawl.sqlite'), '')
  const problem = `${path('letters')}: expected the state of a crawl, got none`
  const run = await callCrawl(['report', path('letters')])
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: `crawl: ${problem}\n` })
  await expect(htmlReport({ visits: path() })).rejects.toThrow('expected the state of a crawl')
})
