import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'

const SHELL = '/bin/sh'
/** Milliseconds that a process may take to end by itself, before it is looked at again. */
const PATIENCE_MS = 100

/**
 * Ends this process at once. `process.exit` waits for threads of the system, and those wait for names that are being
 * looked up; a program that takes the place of this one waits for nothing.
 */
export function endProcess(code: number): void {
  const canReplace = process.platform !== 'win32' && process.execve !== undefined
  if (!canReplace || !existsSync(SHELL)) process.exit(code)
  process.emit('exit', code) // temporary files go
  silently(() => process.execve?.(SHELL, [SHELL, '-c', `exit ${code}`], {}))
}

/**
 * Lets this process end with a code by itself, or makes it end where only a thread that can't be ended is left.
 * @param outputs what has to be written before
 */
export function endWithCode(code: number, outputs: readonly Writable[]): void {
  process.exitCode = code
  const isWritten = () => outputs.every(({ writableLength }) => writableLength === 0)
  setInterval(() => isWritten() && endProcess(code), PATIENCE_MS).unref()
}

/** Node 22 warns on stderr that `execve` is new; stderr is for the log. */
function silently(call: () => void): void {
  process.emitWarning = () => {}
  call()
}
