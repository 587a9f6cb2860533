import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CrawlerError } from '../../errors.ts'
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

/** False when the folder is there. What Node says of one that it makes with its parents may be misleading. */
function make(folder: string): boolean {
  const known = statSync(folder, { throwIfNoEntry: false })
  if (known?.isDirectory()) return false
  if (known === undefined) mkdirSync(dirname(resolve(folder)), { recursive: true })
  mkdirSync(folder)
  return true
}
