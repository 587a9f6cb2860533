import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { stateError } from '../../src/state/explain-state-error.ts'
import { openToRead } from '../../src/state/state-database.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { ledger } from '../support/ledger.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.each(['removed', 'replaced'])('nothing is committed to a database that was %s', (how) => {
  const directory = StateDirectory.open(path('state'))
  onTestFinished(() => directory.close())
  directory.commit(ledger)
  directory.commit(ledger)
  rmSync(path('state'), { recursive: true })
  if (how === 'replaced') {
    mkdirSync(path('state'))
    writeFileSync(path('state', 'crawl.sqlite'), 'another')
  }
  expect(() => directory.commit(ledger)).toThrow(
    `${path('state')}: crawl.sqlite was removed or replaced while it was used`,
  )
})

it('removes all its files, and no others, when nothing was committed', () => {
  const directory = StateDirectory.open(path('state'))
  writeFileSync(path('state', 'seen.sqlite'), 'a seen set on disk')
  writeFileSync(path('state', 'seen.sqlite-wal'), '')
  writeFileSync(path('state', 'created-by-me.txt'), 'kept')
  directory.close()
  expect(readdirSync(path('state'))).toEqual(['created-by-me.txt'])
})

it('removes the folders that it created, except those in which others have put files', () => {
  const directory = StateDirectory.open(path('outer', 'inner', 'state'))
  writeFileSync(path('outer', 'visits.jsonl'), '')
  directory.close()
  expect(readdirSync(path('outer'))).toEqual(['visits.jsonl'])
})

it('opens a directory whose process was killed while it created the database', () => {
  mkdirSync(path('state'))
  const database = new DatabaseSync(path('created.sqlite'))
  // More pages than the cache has reach the file before the transaction ends.
  database.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (page BLOB)')
  database.exec('INSERT INTO half VALUES (zeroblob(1000000))')
  for (const suffix of ['', '-journal'])
    copyFileSync(path(`created.sqlite${suffix}`), path('state', `crawl.sqlite${suffix}`))
  database.close()
  expect(() => openToRead(path('state'))).toThrow(
    expect.toSatisfy((error: unknown) => {
      const described = stateError(path('state'), error, 'read')
      return described instanceof CrawlerError && described.message.includes('repeat its command')
    }),
  )
  const directory = StateDirectory.open(path('state'))
  onTestFinished(() => directory.close())
  const tables = directory.database.prepare('SELECT name FROM sqlite_schema').all()
  expect(tables.map(({ name }) => name)).not.toContain('half')
})
