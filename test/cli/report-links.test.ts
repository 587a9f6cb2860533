import { readFile } from 'node:fs/promises'
import { load } from 'cheerio'
import { expect, it } from 'vitest'
import type { DataTable, LinkingPages } from '../../src/inspect/report/embedded-rows.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const PAGES = 12

/** Each page links to the next one, to a broken URL of its own, and to URLs that all pages link to. */
function pageAt(number: number): string {
  const links = [`/${number + 1}`, `/lost/${number}`, '/lost/everywhere#x', '/moved', '//[']
  return links.map((href, at) => `<a href="${href}">link <b>${at}</b></a>`).join('\n')
}

it('lists every missing page of a crawl with the pages that link to it', async () => {
  const site = await serve(({ url = '' }, response) => {
    const number = url === '/' ? 0 : /^\/\d+$/.test(url) ? Number(url.slice(1)) : PAGES
    if (url === '/moved') response.writeHead(301, { location: '/lost/moved' }).end()
    else if (number >= PAGES) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(pageAt(number))
  })
  const files = [path('visits.jsonl'), '--links', path('links.jsonl')] as const
  const crawl = [`${site.url}/`, '-o', ...files, '--depth', '99', '-w', '1']
  expect(await callCrawl(crawl)).toMatchObject({ code: 0 })
  expect(await callCrawl(['report', ...files, '-o', path('report.html')])).toMatchObject({
    code: 0,
  })

  const json = load(await readFile(path('report.html'), 'utf8'))('#data').text()
  const tables: readonly DataTable[] = JSON.parse(json)
  const rows = tables.find(({ id }) => id === 'broken')?.rows ?? []
  const found = rows.map(([, url, , linked]) => {
    const { total, pages } = linked as LinkingPages
    return [String(url).replace(site.url, ''), total, pages.map(({ url }) => url).sort()]
  })
  const numbers = Array.from({ length: PAGES }, (_, number) => number)
  const pages = numbers.map((number) => `${site.url}/${number === 0 ? '' : number}`)
  const expected = [
    ['/lost/everywhere', PAGES, pages.toSorted()],
    ['/lost/moved', PAGES, pages.toSorted()],
    ...numbers.map((number) => [`/lost/${number}`, 1, [pages[number]]]),
    [`/${PAGES}`, 1, [pages[PAGES - 1]]],
  ]
  expect(found.toSorted()).toEqual(expected.toSorted())
  const everywhere = rows.find(([, url]) => String(url).endsWith('/everywhere'))
  expect(everywhere?.[3]).toMatchObject({ pages: pages.map(() => ({ text: 'link 2' })) })
})
