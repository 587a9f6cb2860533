import { chmodSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../database/make-directory.ts'
import { makePrivate } from '../database/private-files.ts'
import { CrawlerError } from '../errors.ts'

/** The place of a state, and what of it was not there before. */
export interface Folder {
  readonly path: string
  /** Whether it held nothing: then all that it holds is ours. */
  readonly wasEmpty: boolean
  /** The outermost directory that was made. */
  readonly made: string | undefined
  /** Who might read it before. */
  readonly mode: number
}

/**
 * Makes a directory where there is none.
 * @param ours files by which a state is known
 * @throws CrawlerError('state') when it holds something else, and an Error of the system
 */
export function prepareFolder(path: string, ours: readonly string[]): Folder {
  const made = makeDirectory(path, 0o700)
  const names = readdirSync(path)
  const wasEmpty = names.length === 0
  if (wasEmpty || names.some((name) => ours.includes(name))) {
    return { path, wasEmpty, made, mode: makePrivate(path) }
  }
  const message = `${path}: expected an empty directory or the state of a crawl, got ${names[0]} in it`
  throw new CrawlerError('state', message)
}

/** Leaves things as they were: what else was put there meanwhile stays. */
export function removeFolder(
  { path, wasEmpty, made, mode }: Folder,
  ours: readonly string[],
): void {
  if (!wasEmpty) return
  const isOurs = (name: string) => ours.some((file) => name.startsWith(file))
  for (const name of readdirSync(path).filter(isOurs)) rmSync(join(path, name))
  chmodSync(path, mode)
  if (made === undefined || readdirSync(path).length > 0) return
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    rmdirSync(folder)
    if (folder === resolve(made)) return
  }
}
