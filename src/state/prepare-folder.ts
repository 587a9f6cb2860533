import { chmodSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../database/make-directory.ts'
import { CrawlerError } from '../errors.ts'
import { makePrivate } from './private-state-files.ts'

/** The folder of a state, and what changed when it was prepared. */
export interface StateFolder {
  readonly path: string
  /** It was empty, so everything in it is ours. */
  readonly wasEmpty: boolean
  /** The outermost directory that was created. */
  readonly outermostCreated: string | undefined
  /** The mode before it was made private. */
  readonly previousMode: number
}

/**
 * Creates a directory if there is none.
 * @param ours files that identify a state
 * @throws CrawlerError('state') when it contains something else, and a system Error
 */
export function prepareFolder(path: string, ours: readonly string[]): StateFolder {
  const outermostCreated = makeDirectory(path, 0o700)
  const names = readdirSync(path)
  const wasEmpty = names.length === 0
  if (wasEmpty || names.some((name) => ours.includes(name))) {
    return { path, wasEmpty, outermostCreated, previousMode: makePrivate(path) }
  }
  const message = `${path}: expected an empty directory or the state of a crawl, got ${names[0]} in it`
  throw new CrawlerError('state', message)
}

/** Undoes `prepareFolder`; files that others added meanwhile stay. */
export function removeFolder(
  { path, wasEmpty, outermostCreated, previousMode }: StateFolder,
  ours: readonly string[],
): void {
  if (!wasEmpty) return
  const isOurs = (name: string) => ours.some((file) => name.startsWith(file))
  for (const name of readdirSync(path).filter(isOurs)) rmSync(join(path, name))
  chmodSync(path, previousMode)
  if (outermostCreated === undefined || readdirSync(path).length > 0) return
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    rmdirSync(folder)
    if (folder === resolve(outermostCreated)) return
  }
}
