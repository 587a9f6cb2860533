import { readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Days after which code is removed. If a version still uses it, its next start caches it again. */
const MAX_DAYS = 30
const DAY_MS = 86_400_000
/** The folders for code of a V8 version and its flags. */
const FOLDER = /^program-\d+$/
/** Names of files with code, and of those that a thread was writing when it was killed. */
const FILE = /^(?:main|thread)-.+-[\da-f]+(?:\.\d+-\d+)?$/

/**
 * Removes compiled code of the program that was cached long ago, as by versions that are no longer installed. Other
 * processes may do so at the same time.
 * @param folder the folder of the cache, where other programs may have files, too
 */
export function removeOldCode(folder: string): void {
  for (const name of namesIn(folder)) {
    if (FOLDER.test(name)) removeOldFiles(join(folder, name), Date.now() - MAX_DAYS * DAY_MS)
  }
}

function removeOldFiles(folder: string, before: number): void {
  const paths = namesIn(folder)
    .filter((name) => FILE.test(name))
    .map((name) => join(folder, name))
  for (const path of paths) quietly(() => statSync(path).mtimeMs < before && unlinkSync(path))
  // Fails unless the folder is empty.
  quietly(() => rmdirSync(folder))
}

function namesIn(folder: string): string[] {
  return quietly(() => readdirSync(folder)) ?? []
}

/** Runs a function. Ignores failures: another process may have removed the file, or nobody may write here. */
export function quietly<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
