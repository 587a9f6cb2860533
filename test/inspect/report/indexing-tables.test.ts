import { expect, it } from 'vitest'
import { useFolder } from '../../support/state-run.ts'
import { tableOfVisits } from './table-of-visits.ts'

const path = useFolder()
const tableOf = (id: string, visits: readonly object[]) =>
  tableOfVisits(path('visits.jsonl'), id, visits)

const PAGE = { contentType: 'text/html' }

it('the table of canonical URLs shows pages that name another URL, those with a bad one first', async () => {
  const table = await tableOf('canonical', [
    { url: 'http://a/fine', canonical: 'http://a/own' },
    { url: 'http://a/unknown', canonical: 'http://other/' },
    { url: 'http://a/moving', canonical: 'http://a/moved' },
    { url: 'http://a/losing', canonical: 'http://a/lost' },
    { url: 'http://a/failing', canonical: 'http://a/slow' },
    { url: 'http://a/own', canonical: 'http://a/own' },
    { url: 'http://a/none' },
    { url: 'http://a/moved', status: 301, redirectsTo: 'http://a/own' },
    { url: 'http://a/lost', status: 404, canonical: 'http://a/own' },
    { url: 'http://a/slow', status: undefined, error: { code: 'timeout', message: 'none' } },
  ])
  expect(table?.rows).toEqual([
    ['timeout', 'http://a/slow', 'http://a/failing'],
    [404, 'http://a/lost', 'http://a/losing'],
    [301, 'http://a/moved', 'http://a/moving'],
    [null, 'http://other/', 'http://a/unknown'],
    [200, 'http://a/own', 'http://a/fine'],
  ])
  expect(table?.total).toBe(5)
})

it('the table of missing titles shows HTML pages without one, and the pages that link to them', async () => {
  const table = await tableOf('untitled', [
    { ...PAGE, url: 'http://a/', title: 'Start' },
    { ...PAGE, url: 'http://a/empty', via: 'http://a/', title: '' },
    { ...PAGE, url: 'http://a/absent', via: 'http://a/' },
    { ...PAGE, url: 'http://a/lost', status: 404 },
    { ...PAGE, url: 'http://a/moved', status: 301, redirectsTo: 'http://a/' },
    { url: 'http://a/image', contentType: 'image/png' },
    { url: 'http://a/unknown' },
  ])
  expect(table?.rows).toEqual([
    ['http://a/absent', 'http://a/'],
    ['http://a/empty', 'http://a/'],
  ])
  expect(table?.total).toBe(2)
})

it('the table of noindex shows successful responses that ask not to be listed, also if they are unchanged since', async () => {
  const table = await tableOf('noindex', [
    { ...PAGE, url: 'http://a/', title: 'Start', noindex: false },
    { ...PAGE, url: 'http://a/hidden', via: 'http://a/', noindex: true },
    { ...PAGE, url: 'http://a/lost', status: 404, noindex: true },
    { ...PAGE, url: 'http://a/old', noindex: true },
    { url: 'http://a/old', status: 304 },
  ])
  expect(table?.rows).toEqual([
    ['http://a/hidden', 'http://a/'],
    ['http://a/old', null],
  ])
})
