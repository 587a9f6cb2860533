import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteFile } from '../../../src/formats/at-end/sqlite-file.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { VISIT_COLUMNS } from '../../../src/records/visit-columns.ts'
import { useFolder } from '../../support/state-run.ts'
import { keepsTheContract } from '../output-contract.ts'
import { derive } from './derive.ts'

const path = useFolder()

function ask(file: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

keepsTheContract({
  file: 'visits.sqlite',
  read: (file) => [
    ...ask(file, 'SELECT * FROM visits ORDER BY id'),
    ...ask(file, 'SELECT * FROM link_urls ORDER BY page, target'),
  ],
})

it('an SQLite file contains the links between pages', () => {
  const file = path('a.sqlite')
  derive(file, sqliteFile(file), [
    { url: 'http://a.test/', status: 200, outlinks: ['http://a.test/gone', 'http://a.test/far'] },
    { url: 'http://a.test/gone', status: 404, noindex: true, contentType: 'text/html' },
  ])
  const query = `
    SELECT target, page, content_type, noindex
    FROM visits JOIN link_urls ON target = url WHERE status = 404`
  expect(ask(file, query)).toEqual([
    {
      ...{ target: 'http://a.test/gone', page: 'http://a.test/' },
      ...{ content_type: 'text/html', noindex: 1 },
    },
  ])
  expect(ask(file, 'SELECT target, hop FROM link_urls')).toHaveLength(2)
})

/** A visit with all fields of the record. */
const WHOLE_VISIT: Required<Visit> = {
  ...{ url: 'http://a.test/', status: 200, depth: 1, via: 'http://a.test/0', hop: 'link' },
  ...{ redirectsTo: 'http://a.test/2', contentType: 'text/html', charset: 'utf-8', bytes: 2 },
  ...{ truncated: true, title: 'Three', noindex: true, canonical: 'http://a.test/4', links: 3 },
  ...{ discovered: 4, rendered: true, renderedLinks: 5, robots: 'noindex', textLength: 6 },
  ...{ rawTitle: 'Five', rawCanonical: '', rawRobots: '', rawTextLength: 7, hash: 'ab' },
  ...{
    change: 'new',
    ms: 8,
    renderMs: 525,
    screenshot: 'one.test/index.png',
    attempts: 1,
    worker: 2,
  },
  ...{ time: '2026-11-22T00:00:00.000Z', error: { code: 'timeout', message: 'late' } },
  ...{ data: { price: 9 }, dataTruncated: true, duplicateOf: 'http://a.test/6' },
  ...{ agent: 'a1', seq: 10 },
}

it('an SQLite file has a column per field: numbers as integers, true as 1, others as text', () => {
  const file = path('whole.sqlite')
  derive(file, sqliteFile(file), [WHOLE_VISIT])
  const { error, data, ...fields } = WHOLE_VISIT
  const expected = Object.entries({
    ...{ ...fields, data: JSON.stringify(data) },
    ...{ error: error.code, errorMessage: error.message },
  }).map(([name, value]) => [snakeCase(name), value === true ? 1 : value])
  const [row = {}] = ask(file, 'SELECT * FROM visits')
  const { id: _, ...cells } = row
  expect(cells).toEqual(Object.fromEntries(expected))
  expect(Object.keys(cells)).toEqual(Object.keys(VISIT_COLUMNS).map(snakeCase))
})

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
