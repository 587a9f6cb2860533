import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { CrawlFlags } from '../../src/cli/options/crawl-options.ts'
import { readSettings } from '../../src/cli/options/read-settings.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('--extract, --text, --markdown and --content read each page in its encoding', async () => {
  const site = await serveSite({
    '/': (_, response) => {
      const html = Buffer.from('<base href=/sub/><h1>\u00dcber</h1><a href=a>a</a>', 'latin1')
      response.writeHead(200, { 'content-type': 'text/html; charset=latin1' }).end(html)
    },
    '/sub/a': '<p>no heading',
  })
  await writeFile(path('fields.json'), '{ "title": "h2", "links[]": "a@href" }')
  const fields = ['--extract-file', path('fields.json'), '--extract', 'title=h1']
  const { visits, stderr } = await callCrawl([
    site.url,
    '-w',
    '1',
    '-q',
    ...fields,
    '--text',
    '--markdown',
  ])
  expect(stderr).toBe('')
  const href = `${site.url}/sub/a`
  expect(visits.map(({ data }) => data)).toEqual([
    { text: 'Über\n\na', markdown: `# Über\n\n[a](${href})`, title: 'Über', links: [href] },
    { text: 'no heading', markdown: 'no heading', links: [] },
  ])
  expect(Object.keys(visits[0] ?? {}).at(-1)).toBe('data')
  const part = await callCrawl([site.url, '-w', '1', '-q', '--text', '--content', 'h1'])
  expect(part.visits.map(({ data }) => data)).toEqual([{ text: 'Über' }, undefined])
})

it('an invalid selector or field is refused before the crawl begins', async () => {
  const problem = async (flags: CrawlFlags) => {
    const failed = await readSettings(['http://127.0.0.1:9/'], flags).catch((error) => error)
    return failed.message.replaceAll(path('fields.json'), 'fields.json').split('\n')
  }
  expect(await problem({ extract: ['title=h1['] })).toEqual([
    '--extract: expected a CSS selector, with `@attribute` or `{name=selector, …}` behind it if need be, got `h1[`',
  ])
  const scrapy = ['a=a::attr(href)', 'b=h1 ::text', 'c=.p{d=i::text, e=::attr(f)}', 'g=*::attr(g)(']
  expect(
    (await problem({ extract: scrapy })).map((line: string) => /\(did.+?\?\)/.exec(line)?.[0]),
  ).toEqual([
    '(did you mean a@href?)',
    '(did you mean h1?)',
    '(did you mean .p{d=i, e=@f}?)',
    undefined,
  ])
  expect(await problem({ extract: ['h1'] })).toEqual([
    '--extract: expected `name=selector`, got `h1`',
  ])
  await writeFile(path('fields.json'), '{ "a b": "h1", "c": "p:unknown" }')
  expect(await problem({ extractFile: path('fields.json') })).toEqual([
    expect.stringMatching(/^fields\.json: extract\.a b: expected a name such as .+`"a b"`$/),
    expect.stringMatching(/^fields\.json: extract\.c: expected a CSS selector.+`"p:unknown"`$/),
  ])
})

it('a warning lists fields that match nothing on any page', async () => {
  const site = await serveSite({ '/': '<i>1</i><a href=b>', '/b': '<b>x</b>' })
  const fields = ['i=i', 'b=b', 'price=.prce'].flatMap((field) => ['--extract', field])
  const how = ['--log-level', 'warn', '--log-format', 'text']
  const { stderr } = await callCrawl([site.url, ...fields, ...how])
  expect(stderr).toMatch(
    /^.+ WARN.*: --extract price found nothing on any page: check its selector\n$/,
  )
  expect((await callCrawl([site.url, ...fields, ...how, '--dry-run'])).stderr).toBe('')
})

it.each([['--text'], ['--content-dedup', 'near']])(
  'a warning says that no page has the element of --content, with %s',
  async (...option) => {
    const site = await serveSite({ '/': '<main>1</main><a href=b>', '/b': '<article>x</article>' })
    const how = [...option, '--log-level', 'warn', '--log-format', 'text', '--content']
    const { stderr } = await callCrawl([site.url, ...how, 'mian'])
    expect(stderr).toMatch(
      /^.+ WARN.*: --content mian found nothing on any page: check its selector\n$/,
    )
    expect((await callCrawl([site.url, ...how, 'article'])).stderr).toBe('')
    expect((await callCrawl([site.url, ...how, 'mian', '--dry-run'])).stderr).toBe('')
  },
)

it('a warning lists fields that drop further matches', async () => {
  const site = await serveSite({ '/': '<i>1</i><i>2</i><b>x</b>' })
  const { stderr } = await callCrawl([site.url, '-d', '0', '--extract', 'i=i', '--extract', 'b=b'])
  const warnings = stderr.split('\n').filter((line) => /"level":(40|"warn")/.test(line))
  expect(warnings).toEqual([
    expect.stringContaining(
      '--extract i: 1 page has more than one match, of which only the first was taken; i[]=… takes all',
    ),
  ])
})
