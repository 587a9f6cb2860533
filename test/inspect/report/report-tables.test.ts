import { expect, it } from 'vitest'
import { useFolder } from '../../support/state-run.ts'
import { tableOfVisits } from './table-of-visits.ts'

const path = useFolder()

const tableOf = (id: string, visits: readonly object[]) =>
  tableOfVisits(path('visits.jsonl'), id, visits)

const RENDERED = { rendered: true, links: 5, renderedLinks: 0, textLength: 90 }

it('the table of rendered pages compares them before and after, those with most new links first', async () => {
  const table = await tableOf('rendered', [
    { url: 'http://a/plain', title: 'Plain', links: 3 },
    { url: 'http://a/same', ...RENDERED, title: 'Same' },
    { url: 'http://a/text', ...RENDERED, title: 'Text', rawTextLength: 80 },
    {
      url: 'http://a/app',
      ...RENDERED,
      title: 'App',
      renderedLinks: 5,
      rawTitle: '',
      rawTextLength: 0,
    },
    { url: 'http://a/head', ...RENDERED, rawTitle: 'Old', robots: 'noindex', rawRobots: '' },
  ])
  expect(table?.columns.map(({ name }) => name)).toEqual([
    ...['URL', 'Links sent', 'Links shown', 'Text sent', 'Text shown'],
    ...['Title sent', 'Title shown', 'Robots sent', 'Robots shown'],
  ])
  expect(table?.rows).toEqual([
    ['http://a/app', 0, 5, 0, 90, '(none)', 'App', null, null],
    ['http://a/text', 5, 5, 80, 90, null, null, null, null],
    ['http://a/head', 5, 5, 90, 90, 'Old', '(none)', '(none)', 'noindex'],
  ])
  expect(table?.total).toBe(3)
  expect(table?.note).toContain(
    'something on 3 of 4 rendered pages: the title on 2, the canonical URL on 0, the robots directives on 1, the links on 1, the text on 2.',
  )
})

it('the table of rendered pages shows counts with thousands separators', async () => {
  const visits = Array.from({ length: 1_234 }, (_, at) => ({ url: `http://a/${at}`, ...RENDERED }))
  const table = await tableOf(
    'rendered',
    visits.map((visit) => ({ ...visit, title: 'New', rawTitle: 'Old' })),
  )
  expect(table?.note).toContain('on 1,234 of 1,234 rendered pages: the title on 1,234, the')
})

it('the table of rendered pages is empty if none was rendered', async () => {
  expect(await tableOf('rendered', [{ url: 'http://a/', links: 3 }])).toMatchObject({ rows: [] })
})

const moved = (from: string, to: string, more: object = {}) => ({
  ...{ url: `http://a/${from}`, status: 302, redirectsTo: `http://a/${to}`, hop: 'link' },
  ...{ via: 'http://a/', ...more },
})
const LOOPS = [
  { url: 'http://a/', hop: 'seed' },
  moved('self', 'self'),
  moved('into', 'one'),
  moved('one', 'two', { hop: 'redirect', via: 'http://a/into' }),
  moved('two', 'one', { hop: 'redirect', via: 'http://a/one' }),
  moved('fine', ''),
]

it('the table of redirects counts each redirect of a loop once', async () => {
  const table = await tableOf('redirects', LOOPS)
  expect(table?.rows.map(([hops, , from, , outcome]) => [hops, from, outcome])).toEqual([
    [3, 'http://a/into', 'loop'],
    [1, 'http://a/fine', '200'],
    [1, 'http://a/self', 'loop'],
  ])
})

it('the table of broken links has each redirect loop, with the page that links to it', async () => {
  const table = await tableOf('broken', LOOPS)
  expect(table?.rows.map(([outcome, url]) => [outcome, url])).toEqual([
    ['redirect-loop', 'http://a/one'],
    ['redirect-loop', 'http://a/self'],
  ])
  expect(JSON.stringify(table?.rows[0])).toContain('"http://a/into"')
  expect(table?.total).toBe(2)
  const messages = ['it redirects to itself', 'its redirects lead back to http://a/one']
  const errors = await tableOf('errors', LOOPS)
  expect(messages).toContain(errors?.rows[0]?.[2])
})

it('tables show numbers beyond 2^53, which only a damaged record has', async () => {
  const url = 'http://a/'
  const huge = { depth: 1e17, links: 1e17, renderedLinks: 1e17, textLength: 1e17, ms: 1e17 }
  const table = await tableOf('large', [{ url, bytes: 1e17, status: 1e17, ...huge }])
  expect(table?.rows).toEqual([[1e17, url, 1e17]])
})

it('the table of redirects names the error of a redirect that was not followed', async () => {
  const redirect = { status: 301, hop: 'redirect' }
  const error = { code: 'too-many-redirects', message: 'more than 1 redirect in a row' }
  const table = await tableOf('redirects', [
    { ...redirect, url: 'http://a/1', hop: 'link', redirectsTo: 'http://a/2' },
    { ...redirect, url: 'http://a/2', redirectsTo: 'http://a/3', error },
    { ...redirect, url: 'http://a/out', hop: 'link', redirectsTo: 'http://b/' },
  ])
  expect(table?.rows).toEqual([
    [2, 301, 'http://a/1', ['http://a/2', 'http://a/3'], 'too-many-redirects'],
    [1, 301, 'http://a/out', ['http://b/'], 'not visited'],
  ])
})

it('a table of very long URLs has fewer rows, and counts all', async () => {
  const visits = Array.from({ length: 950 }, (_, at) => ({
    url: `http://a/${at}?${'x'.repeat(20_000)}`,
    status: 404,
  }))
  const table = await tableOf('broken', visits)
  expect(table?.total).toBe(visits.length)
  expect(table?.rows.length).toBeGreaterThan(800)
  expect(JSON.stringify(table?.rows).length).toBeLessThan(17e6)
})
