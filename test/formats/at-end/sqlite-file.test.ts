import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteFile } from '../../../src/formats/at-end/sqlite-file.ts'
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

it('a database has the links between pages', () => {
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
