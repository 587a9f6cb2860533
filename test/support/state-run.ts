import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, onTestFinished } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'

/** Creates a directory for each test. Returns `path`: `path()` is the directory, `path('name')` a file in it. */
export function useFolder(): (...names: string[]) => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
  })
  return (...names) => join(folder, ...names)
}

/**
 * Returns the records in an output file.
 * @throws Error if a line is not JSON
 */
export async function visitsIn(file: string): Promise<Visit[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  if (lines.pop() !== '') throw new Error(`${file} does not end with a line feed`)
  return lines.map((line) => JSON.parse(line))
}

/** Returns the rows of a query on the database of a state, read by another connection. */
export function ask(state: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(state, 'crawl.sqlite'), { readOnly: true })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

/** Changes the database of a state by another connection. */
export function alter(state: string, statements: string): void {
  const database = new DatabaseSync(join(state, 'crawl.sqlite'))
  database.exec(statements)
  database.close()
}
