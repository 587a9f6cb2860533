import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { codeOf } from '../../errors.ts'
import { fileNamesFor } from '../site-folder.ts'

/** A file, or what a static web server would answer instead: a redirect to the folder, or 404. */
type FoundFile = { readonly name: string; readonly stats: Stats } | 'folder' | 'nothing'

/** Codes of the errors of names that no file has. */
const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

/**
 * Finds the file for a path. A folder without its slash is a `folder` if it has an index.
 * @param path as for `fileNamesFor`
 * @throws an Error of the system for a file that can't be accessed
 */
export async function findFile(folder: string, path: string): Promise<FoundFile> {
  const { files, index } = fileNamesFor(folder, path)
  for (const name of files) {
    const stats = await statsOf(name)
    if (stats?.isFile()) return { name, stats }
  }
  const isFolder = index !== undefined && (await statsOf(index))?.isFile() === true
  return isFolder ? 'folder' : 'nothing'
}

async function statsOf(name: string): Promise<Stats | undefined> {
  try {
    return await stat(name)
  } catch (error) {
    if (NO_FILE.has(codeOf(error))) return undefined
    throw error
  }
}
