import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('takes fields, text and Markdown of each page, in its encoding', async () => {
  const site = await serveSite({
    '/': (_, response) => {
      const html = Buffer.from('<base href=/sub/><h1>\u00dcber</h1><a href=a>a</a>', 'latin1')
      response.writeHead(200, { 'content-type': 'text/html; charset=latin1' }).end(html)
    },
    '/sub/a': '<p>no heading',
  })
  await writeFile(path('fields.json'), '{ "title": "h2", "links[]": "a@href" }')
  const fields = ['--extract-file', path('fields.json'), '--extract', 'title=h1']
  const { visits, stderr } = await runCrawl([site.url, '-q', ...fields, '--text', '--markdown'])
  expect(stderr).toBe('')
  const href = `${site.url}/sub/a`
  expect(visits.map(({ data }) => data)).toEqual([
    { text: 'Über\n\na', markdown: `# Über\n\n[a](${href})`, title: 'Über', links: [href] },
    { text: 'no heading', markdown: 'no heading', links: [] },
  ])
  expect(Object.keys(visits[0] ?? {}).at(-1)).toBe('data')
})

it('names what is no selector, and no field, before it begins', async () => {
  await writeFile(path('fields.json'), '{ "a b": "h1", "c": "p:unknown" }')
  const typed = ['http://127.0.0.1:9/', '--extract', 'title=h1[']
  const { code, stderr } = await runCrawl(typed)
  expect([code, stderr]).toEqual([
    2,
    'crawl: --extract: expected a CSS selector, with `@attribute` behind it if need be, got `h1[`\n',
  ])
  const inFile = await runCrawl([...typed, '--extract-file', path('fields.json')])
  expect(inFile.stderr.replaceAll(path('fields.json'), 'fields.json').split('\n')).toEqual([
    expect.stringMatching(/^crawl: fields\.json: extract\.a b: expected a name such as .+`"a b"`$/),
    expect.stringMatching(/^crawl: fields\.json: extract\.c: expected a CSS sel.+`"p:unknown"`$/),
    '',
  ])
  const half = await runCrawl(['http://127.0.0.1:9/', '--extract', 'h1'])
  expect(half.stderr).toBe('crawl: --extract: expected `name=selector`, got `h1`\n')
})
