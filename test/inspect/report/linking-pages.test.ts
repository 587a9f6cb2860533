import { writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { addLinkTables } from '../../../src/inspect/report/load-broken-links.ts'
import { openVisitTable } from '../../../src/inspect/report/load-visits.ts'
import { reportTables } from '../../../src/inspect/report/report-tables.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const on = (name: string | number) => `http://a/${name}`
const linesOf = (values: readonly object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Returns the rows of broken links: the status of a URL, the number of pages, and the pages. */
async function brokenOf(visits: readonly object[], links?: readonly object[]) {
  await writeFile(path('visits.jsonl'), linesOf(visits))
  if (links !== undefined) await writeFile(path('links.jsonl'), linesOf(links))
  const database = await openVisitTable(path('visits.jsonl'))
  onTestFinished(() => database.close())
  await addLinkTables(database, links && path('links.jsonl'), () => {})
  return reportTables(database, { hasAllLinks: links !== undefined, isState: false })[0]?.rows ?? []
}

const pagesOf = (count: number) => Array.from({ length: count }, (_, page) => on(`page${page}`))

it('the report lists all pages that link to a broken URL, with the text of the first link', async () => {
  const visits = [
    { url: on('lost'), status: 404, via: on('b') },
    { url: on('gone'), status: 410, via: on('a') },
    { url: on('fine'), status: 200, via: on('a') },
  ]
  const links = [
    { from: on('a'), to: on('fine'), text: 'Fine' },
    { from: on('a'), to: on('lost#top') },
    { from: on('a'), to: on('lost'), text: 'Lost' },
    { from: on('a'), to: on('gone'), text: 'Gone' },
    { from: on('a'), to: on('gone#more'), text: 'More' },
    { from: on('c'), to: on('lost') },
  ]
  expect(await brokenOf(visits, links)).toEqual([
    [
      ...[404, on('lost'), 3],
      {
        total: 3,
        pages: [{ url: on('b') }, { url: on('a'), text: 'Lost' }, { url: on('c') }],
      },
    ],
    [410, on('gone'), 1, { total: 1, pages: [{ url: on('a'), text: 'Gone' }] }],
  ])
})

it('the report lists pages that link to a broken URL through redirects, and the redirects', async () => {
  const visits = [
    { url: on('1'), status: 301, redirectsTo: on('2'), via: on('a') },
    { url: on('2'), status: 302, redirectsTo: on('3'), via: on('1'), hop: 'redirect' },
    { url: on('3'), status: 500, via: on('2'), hop: 'redirect' },
    { url: on('round'), status: 301, redirectsTo: on('round'), via: on('a') },
  ]
  const links = [
    { from: on('a'), to: on('1') },
    { from: on('b'), to: on('2'), text: 'second' },
    { from: on('c'), to: on('3') },
    { from: on('c'), to: on('round') },
  ]
  expect(await brokenOf(visits, links)).toEqual([
    [
      ...[500, on('3'), 3],
      {
        total: 3,
        pages: [
          { url: on('a'), by: [on('1'), on('2')] },
          { url: on('b'), text: 'second', by: [on('2')] },
          { url: on('c') },
        ],
      },
    ],
    [
      ...['redirect-loop', on('round'), 2],
      { total: 2, pages: [{ url: on('a') }, { url: on('c') }] },
    ],
  ])
})

it('the report lists a hundred pages per broken URL, counts all, and sorts by their number', async () => {
  const visits = [
    { url: on('few'), status: 404 },
    { url: on('many'), status: 404 },
    { url: on('nobody'), status: 400 },
  ]
  const links = [...pagesOf(250).map((from) => ({ from, to: on('many') }))]
  const rows = await brokenOf(visits, [...links, { from: on('a'), to: on('few') }])
  expect(rows.map(([status, url, total]) => [status, url, total])).toEqual([
    [404, on('many'), 250],
    [404, on('few'), 1],
    [400, on('nobody'), null],
  ])
  expect(rows[0]?.[3]).toMatchObject({ pages: { length: 100 } })
  expect(rows[2]?.[3]).toBe(null)
})

it('the report lists equally many pages for all broken URLs if not all pages fit', async () => {
  const visits = Array.from({ length: 1_000 }, (_, at) => ({ url: on(at), status: 404 }))
  const links = pagesOf(60).flatMap((from) => visits.map(({ url: to }) => ({ from, to })))
  const rows = await brokenOf(visits, links.slice(0, -999))
  expect(rows[0]?.[3]).toMatchObject({ total: 60, pages: { length: 50 } })
  expect(rows.at(-1)?.[3]).toMatchObject({ total: 59, pages: { length: 50 } })
})

it('the report lists fewer pages if their redirects have very long URLs', async () => {
  const long = (name: string) => on(name + 'x'.repeat(1_900))
  const starts = Array.from({ length: 20 }, (_, at) => at)
  const visits = starts.flatMap((start) => [
    ...Array.from({ length: 20 }, (_, hop) => ({
      ...{ url: long(`${start}-${hop}-`), status: 301, redirectsTo: long(`${start}-${hop + 1}-`) },
    })),
    { url: long(`${start}-20-`), status: 404 },
  ])
  const links = pagesOf(100).flatMap((from) =>
    starts.map((start) => ({ from, to: long(`${start}-0-`) })),
  )
  const rows = await brokenOf(visits, links)
  expect(rows.map(([, , total]) => total)).toEqual(starts.map(() => 100))
  expect(JSON.stringify(rows).length).toBeGreaterThan(10e6)
  expect(JSON.stringify(rows).length).toBeLessThan(16e6)
})

it('the report lists only the page that first linked to a URL if there is no link file', async () => {
  const visits = [
    { url: on('moved'), status: 301, redirectsTo: on('lost'), via: on('a') },
    { url: on('lost'), status: 404, via: on('moved'), hop: 'redirect' },
    { url: on('seed'), status: 404 },
  ]
  const pages = [{ url: on('a'), by: [on('moved')] }]
  expect(await brokenOf(visits)).toEqual([
    [404, on('lost'), { total: 1, pages }],
    [404, on('seed'), null],
  ])
})

it.each([
  [{ from: 'a' }, 'a link, a JSON object with `from` and `to`, got "{\\"from\\":\\"a\\"}"'],
  [
    { from: 'a', to: 'b', text: 1 },
    'a text as `text`, got "{\\"from\\":\\"a\\",\\"to\\":\\"b\\",\\"text\\":1}"',
  ],
])('the report refuses %j as a link', async (link, expected) => {
  const file = path('links.jsonl')
  const message = `${file}: line 1: expected ${expected}`
  await expect(brokenOf([], [link])).rejects.toThrow(message)
})
