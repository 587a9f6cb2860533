import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory, with those above it. Node's own recursive way never returns where the system says
 * that a directory is missing which is there, as Linux does under /proc.
 * @returns the outermost directory that was made; undefined when all were there
 * @throws an Error of the system
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  const whole = resolve(path)
  if (isDirectory(whole)) return undefined
  const above = dirname(whole)
  const outermost = above === whole ? undefined : makeDirectory(above, mode)
  mkdirSync(whole, { mode })
  return outermost ?? whole
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
