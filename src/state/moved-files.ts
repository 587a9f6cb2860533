import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { identityOf } from './file-identities.ts'
import type { SavedCrawl } from './ledger.ts'

type NamedOutputs = Pick<
  Config,
  'output' | 'skipped' | 'links' | 'saveBodies' | 'screenshots' | 'overwrite'
>

/** New absolute names of output files by their old ones. */
export type MovedFiles = ReadonlyMap<string, string>

/**
 * Finds the output files of an earlier run that have moved since, for example with their folder. The settings then name
 * one of these:
 * - the same file by its identity, moved or reached through a link
 * - a copy, if the original is gone: its name ends like that of the original, and it has all committed bytes
 *
 * Files next to it, such as the index of an archive, have moved with it.
 */
export function findMovedFiles({ ledger }: SavedCrawl, config: NamedOutputs): MovedFiles {
  const { positions, files = {} } = ledger
  const named = namedFiles(config)
  const former = Object.keys(positions).filter((name) => !named.includes(name))
  const moved = new Map<string, string>()
  for (const name of named) {
    if (Object.hasOwn(positions, name)) continue
    const identity = identityOf(name)
    const old = former.find((each) => {
      if (moved.has(each) || identity === undefined) return false
      return files[each] === identity || isCopy(name, each, positions[each] ?? 0, config)
    })
    if (old !== undefined) moved.set(old, name)
  }
  return new Map([...moved, ...besides(former, moved)])
}

/** Returns a stored crawl with the new names of its files. */
export function withMovedFiles(
  { settings, input, ledger }: SavedCrawl,
  moved: MovedFiles,
): SavedCrawl {
  const newName = (name: unknown) => (typeof name === 'string' && moved.get(name)) || name
  const renamed = Object.entries(settings).map(([setting, value]) => {
    return [setting, Array.isArray(value) ? value.map(newName) : newName(value)]
  })
  const { positions, files = {} } = ledger
  const rename = <T>(each: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(each).map(([name, value]) => [moved.get(name) ?? name, value]),
    )
  return {
    settings: Object.fromEntries(renamed),
    input,
    ledger: { ...ledger, positions: rename(positions), files: rename(files) },
  }
}

/** Returns the absolute names of the files in the settings. */
function namedFiles(outputs: NamedOutputs): string[] {
  const { output, skipped, links, saveBodies, screenshots } = outputs
  const names = [...output.filter((name) => name !== '-'), skipped, links, saveBodies, screenshots]
  return names.flatMap((name) => (name === undefined ? [] : [resolve(name)]))
}

function isCopy(name: string, old: string, position: number, { overwrite }: NamedOutputs): boolean {
  if (overwrite || position === 0 || basename(name) !== basename(old)) return false
  if (identityOf(old) !== undefined) return false
  return statSync(name).size >= position
}

/** Returns the other files that are next to a moved file, as they were before, and no longer elsewhere. */
function besides(former: readonly string[], moved: MovedFiles): [old: string, name: string][] {
  const folders = new Map([...moved].map(([old, name]) => [dirname(old), dirname(name)]))
  return former.flatMap((old): [string, string][] => {
    const folder = folders.get(dirname(old))
    const name = folder === undefined ? undefined : join(folder, basename(old))
    if (name === undefined || moved.has(old)) return []
    const identity = identityOf(name)
    return identity !== undefined && [undefined, identity].includes(identityOf(old))
      ? [[old, name]]
      : []
  })
}
