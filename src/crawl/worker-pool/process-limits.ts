import { readFileSync } from 'node:fs'

/** What the system allows a process, as `ulimit` says; undefined where it is not known, or without bounds. */
interface ProcessLimits {
  readonly openFiles?: number | undefined
  /** Bytes of addresses. */
  readonly addressSpace?: number | undefined
}

/** Returns the limits of this process that are in force: Linux tells. */
export function processLimits(file = '/proc/self/limits'): ProcessLimits {
  const text = textOf(file)
  return {
    openFiles: softLimit(text, 'open files'),
    addressSpace: softLimit(text, 'address space'),
  }
}

function softLimit(text: string, name: string): number | undefined {
  const found = new RegExp(`^Max ${name} +(\\d+) `, 'm').exec(text)
  return found === null ? undefined : Number(found[1])
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // another system
  }
}
