import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a directory and its parents. Node's own recursive mode never returns where the system
 * reports an existing directory as missing, as Linux does under /proc.
 * @returns the outermost directory that was created; undefined if all existed
 * @throws a system Error
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  const whole = resolve(path)
  if (isDirectory(whole)) return undefined
  const above = dirname(whole)
  const outermost = above === whole ? undefined : makeDirectory(above, mode)
  try {
    mkdirSync(whole, { mode })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (isDirectory(whole)) return outermost
    throw error
  }
  return outermost ?? whole
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
