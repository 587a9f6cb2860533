import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'

const SHELL = '/bin/sh'
/** Time that the process has to end normally, in milliseconds. */
const NORMAL_END_MS = 100

/**
 * Ends this process at once. `process.exit` would wait for system threads, which may be waiting for
 * name lookups. Replacing the process with another program doesn't wait for them.
 */
export function endProcess(code: number): void {
  const canReplace = process.platform !== 'win32' && process.execve !== undefined
  if (!canReplace || !existsSync(SHELL)) process.exit(code)
  process.emit('exit', code) // removes temporary files
  // Node 22 warns on stderr that `execve` is experimental, but stderr is for the log.
  process.emitWarning = () => {}
  process.execve?.(SHELL, [SHELL, '-c', `exit ${code}`], {})
}

/**
 * Lets this process end with an exit code. Ends it at once if a stuck thread keeps it running.
 * @param outputs streams that must be written completely before
 */
export function endWithCode(code: number, outputs: readonly Writable[]): void {
  process.exitCode = code
  const isWritten = () => outputs.every(({ writableLength }) => writableLength === 0)
  setInterval(() => isWritten() && endProcess(code), NORMAL_END_MS).unref()
}
