import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import {
  isLocked,
  openForReading,
  openNewDatabase,
  openSharedDatabase,
  takeLock,
} from '../../src/database/sqlite.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('a relative path that begins like a file URI is a path', () => {
  const before = process.cwd()
  mkdirSync(path('file:state?mode=memory'))
  process.chdir(path())
  onTestFinished(() => process.chdir(before))
  const file = 'file:state?mode=memory/crawl.sqlite'
  const database = openSharedDatabase(file)
  database.exec('CREATE TABLE pages (url TEXT)')
  database.close()
  const reader = openForReading(file)
  expect(reader.prepare('SELECT name FROM sqlite_schema').get()).toEqual({ name: 'pages' })
  reader.close()
  const lock = takeLock('file:state?mode=memory/lock.sqlite')
  expect(isLocked('file:state?mode=memory/lock.sqlite')).toBe(true)
  lock?.close()
})

it('a new database has no journal next to it, which a killed process would leave', () => {
  writeFileSync(path('new.sqlite'), '')
  const database = openNewDatabase(path('new.sqlite'))
  database.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)')
  expect(readdirSync(path()).filter((name) => name.startsWith('new.'))).toEqual(['new.sqlite'])
  database.exec('COMMIT')
  database.close()
})
