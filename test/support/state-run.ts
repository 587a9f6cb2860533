import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, onTestFinished } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'

/** A directory for one test, by `path()`; files in it by `path('name')`. */
export function useFolder(): (...names: string[]) => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
  })
  return (...names) => join(folder, ...names)
}

/** The records in a file of output; throws when a line is not JSON. */
export async function visitsIn(file: string): Promise<Visit[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  if (lines.pop() !== '') throw new Error(`${file} does not end with a line feed`)
  return lines.map((line) => JSON.parse(line))
}

/** What a query gives on the database of a state, read as anybody else may. */
export function ask(state: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(state, 'crawl.sqlite'), { readOnly: true })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

/** Changes the database of a state from without. */
export function alter(state: string, statements: string): void {
  const database = new DatabaseSync(join(state, 'crawl.sqlite'))
  database.exec(statements)
  database.close()
}
