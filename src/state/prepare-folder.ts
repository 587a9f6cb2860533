import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../database/make-directory.ts'
import { CrawlerError } from '../errors.ts'
import { isStateFile, makePrivate, setMode } from './private-state-files.ts'

/** The folder of a state, with the facts that are needed to undo its preparation. */
export interface StateFolder {
  readonly path: string
  /** True if the folder was empty, so that all files of a state in it are ours. */
  readonly wasEmpty: boolean
  /** The outermost directory that was created; undefined if none was. */
  readonly outermostCreated: string | undefined
  /** The mode of the folder before it was made private. */
  readonly previousMode: number
}

/**
 * Creates a directory if there is none, and makes it private.
 * @param ours names of files that identify a state
 * @throws CrawlerError('state') if the directory contains other files only, and a system Error
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

/** Removes the files of a state, and undoes `prepareFolder`. Files that others added meanwhile stay. */
export function removeFolder({
  path,
  wasEmpty,
  outermostCreated,
  previousMode,
}: StateFolder): void {
  if (!wasEmpty) return
  for (const name of readdirSync(path).filter(isStateFile)) rmSync(join(path, name))
  setMode(path, previousMode)
  if (outermostCreated === undefined) return
  for (let folder = resolve(path); readdirSync(folder).length === 0; folder = dirname(folder)) {
    rmdirSync(folder)
    if (folder === resolve(outermostCreated)) return
  }
}
