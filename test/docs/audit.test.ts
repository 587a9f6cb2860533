import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const PAGE = readFileSync(new URL('../../docs/how-to/audit.md', import.meta.url), 'utf8')
/** The queries of the page, in order. */
const QUERIES = Array.from(PAGE.matchAll(/^```sql\n([^`]+)```$/gm), ([, sql = '']) => sql)

const path = useFolder()

it('the queries of docs/how-to/audit.md return what the page says', async () => {
  const redirectTo = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(301, { location }).end()
  const longTitle = 'c'.repeat(61)
  const pages = ['untitled', 'hidden', 'copy', 'gone', 'old', 'twin', 'paper.pdf']
  const { url } = await serveSite({
    '/': `<title>Home</title><h1>Home</h1>${pages.map((page) => `<a href=/${page}>`).join('')}`,
    '/untitled': '<p>text<img src=http://insecure.invalid/a.png><img src=/a.png>',
    '/hidden': '<title>Hidden</title><meta name=robots content=noindex>',
    '/copy': `<title>${longTitle}</title><h1>a</h1><h1>b</h1><link rel=canonical href=/gone>`,
    '/old': redirectTo('/older'),
    '/older': redirectTo('/twin'),
    '/twin': '<title>Home</title><meta name=Description content=Twin>',
    '/paper.pdf': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/pdf', 'x-robots-tag': 'noindex' })
        .end('%PDF-'),
    '/orphan': '<title></title>',
    '/sitemap.xml': (request, response) => {
      const urls = ['/orphan', '/twin'].map(
        (page) => `<loc>http://${request.headers.host}${page}</loc>`,
      )
      response
        .setHeader('content-type', 'text/xml')
        .end(`<urlset><url>${urls.join('</url><url>')}</url></urlset>`)
    },
  })
  const file = path('audit.sqlite')
  const fields = Array.from(PAGE.matchAll(/--extract '([^']+)'/g), ([, field = '']) => field)
  const extract = fields.flatMap((field) => ['--extract', field])
  const [, headers = ''] = /--response-headers (\S+)/.exec(PAGE) ?? []
  const flags = [...extract, '--response-headers', headers]
  await callCrawl([url, '-q', '--depth', 'unlimited', '--sitemaps', '-o', file, ...flags])
  const database = new DatabaseSync(file)
  const answers = QUERIES.map((sql) =>
    database
      .prepare(sql.replace("'https:%'", "'http:%'"))
      .all()
      .map((row) => Object.values(row)),
  )
  database.close()
  answers[0]?.sort()
  for (const unordered of [7, 12, 13, 16]) answers[unordered]?.sort()
  const at = (...paths: string[]) => paths.map((each) => `${url}${each}`)
  expect(answers.toSpliced(10, 1)).toEqual([
    ['/orphan', '/untitled'].map((page) => at(page)),
    [['Home', 2, `${url}/`]],
    [[61, longTitle, `${url}/copy`]],
    [at('/hidden')],
    [[...at('/copy', '/gone'), 404]],
    [[`${url}/gone`, 404, null, `${url}/`]],
    [at('/old', '/older', '/twin')],
    pages.toSorted().map((page) => [1, `${url}/${page}`]),
    [at('/orphan')],
    [at('/untitled')],
    [[5, `${url}/paper.pdf`]],
    ['/', '/copy', '/hidden', '/orphan', '/untitled'].map((page) => at(page)),
    [
      ...['/hidden', '/orphan', '/twin', '/untitled'].map((page) => [0, ...at(page)]),
      [2, `${url}/copy`],
    ],
    [[`${url}/untitled`, 'http://insecure.invalid/a.png']],
    [[`${url}/paper.pdf`, 'noindex']],
    ['/', '/copy', '/hidden', '/orphan', '/twin', '/untitled'].map((page) => at(page)),
  ])
  expect(answers[10]).toHaveLength(6)
})
