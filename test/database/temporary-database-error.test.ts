import { expect, it, onTestFinished, vi } from 'vitest'
import { openTemporaryDatabase } from '../../src/database/sqlite.ts'
import { temporaryDatabaseError } from '../../src/database/temporary-database-error.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

/** Returns the error of a database that may not grow. */
function fullError(): unknown {
  const database = openTemporaryDatabase()
  onTestFinished(() => database.close())
  try {
    database.exec('PRAGMA max_page_count = 1; CREATE TABLE a (b)')
  } catch (error) {
    return error
  }
  return undefined
}

it.skipIf(process.platform === 'win32').each(['TMPDIR', 'SQLITE_TMPDIR'])(
  'names %s if it decides where temporary databases are',
  (variable) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('SQLITE_TMPDIR', undefined)
    vi.stubEnv(variable, path())
    const why = "can't be written: database or disk is full"
    const remedy = `set ${variable} to another folder for temporary files`
    expect(temporaryDatabaseError(fullError())).toMatchObject({
      kind: 'output',
      message: `${path()}: ${why}; ${remedy}`,
    })
  },
)
