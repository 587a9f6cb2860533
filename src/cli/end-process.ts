import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'

const SHELL = '/bin/sh'
/** Time that the process has to end normally, in milliseconds. */
const NORMAL_END_MS = 100

/**
 * Ends this process at once. `process.exit` waits for system threads, which may be waiting for name
 * lookups; replacing the process by another program waits for nothing.
 */
export function endProcess(code: number): void {
  const canReplace = process.platform !== 'win32' && process.execve !== undefined
  if (!canReplace || !existsSync(SHELL)) process.exit(code)
  process.emit('exit', code) // temporary files go
  withoutWarnings(() => process.execve?.(SHELL, [SHELL, '-c', `exit ${code}`], {}))
}

/**
 * Lets this process end with an exit code, or ends it if only a stuck thread is left.
 * @param outputs have to be written before
 */
export function endWithCode(code: number, outputs: readonly Writable[]): void {
  process.exitCode = code
  const isWritten = () => outputs.every(({ writableLength }) => writableLength === 0)
  setInterval(() => isWritten() && endProcess(code), NORMAL_END_MS).unref()
}

/** Node 22 warns on stderr that `execve` is new; stderr is for the log. */
function withoutWarnings(call: () => void): void {
  process.emitWarning = () => {}
  call()
}
