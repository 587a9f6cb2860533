import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isatty } from 'node:tty'
import type { Environment } from '../config/environment.ts'

/**
 * Returns whether the command should go on after SIGHUP, as under `nohup` or in a script that does `trap '' HUP`. Node
 * resets ignored signals before it runs any code, so this relies on what is left of them.
 */
export function ignoresHangup(environment: Environment): boolean {
  // Both nohup and scripts that go on without their terminal have their output elsewhere.
  if (isatty(1) || isatty(2)) return false
  // Shells set this variable to the program that they start: nohup, which then became this process.
  return basename(environment['_'] ?? '') === 'nohup' || doesParentIgnoreHangup()
}

/** Returns whether the parent ignores SIGHUP: its children inherit that. False outside of Linux. */
function doesParentIgnoreHangup(): boolean {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
    const lastDigit = /^SigIgn:\s*[\da-f]*([\da-f])$/m.exec(status)?.[1] ?? '0'
    // SIGHUP is signal 1, and has the lowest bit.
    return Number.parseInt(lastDigit, 16) % 2 === 1
  } catch {
    return false
  }
}
