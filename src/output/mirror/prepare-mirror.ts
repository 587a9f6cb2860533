import { readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../../errors.ts'
import { makeDirectory } from '../../make-directory.ts'
import { outputError } from '../stream-output.ts'

/**
 * Makes a folder for a mirror, with folders of our own in it.
 * @param mayStand whether other files may be in it
 * @returns what takes back what was made
 * @throws CrawlerError('usage') when it is not empty, 'output' when it can't be made or written to
 */
export function prepareMirror(
  folder: string,
  own: readonly string[],
  mayStand: boolean,
): () => void {
  const made: string[] = []
  try {
    const make = (path: string) => makeDirectory(path) !== undefined
    if (make(folder)) made.push(folder)
    const foreign = mayStand ? [] : readdirSync(folder).filter((name) => !own.includes(name))
    if (foreign.length > 0) {
      const message = `${folder}: expected an empty folder; --overwrite writes into this one`
      throw new CrawlerError('usage', message)
    }
    made.push(...own.map((name) => join(folder, name)).filter(make))
  } catch (error) {
    throw error instanceof CrawlerError ? error : outputError(folder, error)
  }
  return () => {
    for (const path of made.reverse()) rmdirSync(path)
  }
}
