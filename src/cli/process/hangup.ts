import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isatty } from 'node:tty'
import type { Environment } from '../../config/environment.ts'

/** Input that can only be written, as GNU's nohup leaves it in place of a terminal. */
const WRITE_ONLY = /^flags:\s*\d*1$/m
/** SIGHUP among the ignored signals: it is signal 1, and has the lowest bit. */
const HANGUP_IGNORED = /^SigIgn:\s*[\da-f]*[13579bdf]$/m

/**
 * Returns whether the command should go on after SIGHUP, as under `nohup` or in a script that does `trap '' HUP`. Node
 * resets ignored signals before it runs any code, so this relies on what else shows that they were ignored.
 */
export function ignoresHangup(environment: Environment): boolean {
  // Both nohup and scripts that go on without their terminal have their output elsewhere.
  if (isatty(1) || isatty(2)) return false
  return (
    // Most shells set this variable to the program that they start: nohup, which then became this process.
    basename(environment['_'] ?? '') === 'nohup' ||
    isInSystemFile('/proc/self/fdinfo/0', WRITE_ONLY) ||
    // The children of a process that ignores SIGHUP inherit that.
    isInSystemFile(`/proc/${process.ppid}/status`, HANGUP_IGNORED)
  )
}

/** Returns whether a file of Linux contains the pattern; false if there is no such file, as on other systems. */
function isInSystemFile(file: string, pattern: RegExp): boolean {
  try {
    return pattern.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}
