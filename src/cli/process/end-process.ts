import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Worker } from 'node:worker_threads'

const SHELL = '/bin/sh'
/** Time that the process has to end normally, in milliseconds. */
const NORMAL_END_MS = 100
/** Time for threads to stop running code, in milliseconds. */
const STOP_MS = 10

const threads = new Set<Worker>()
process.on('worker', (thread) => {
  threads.add(thread)
  thread.once('exit', () => threads.delete(thread))
})

/**
 * Ends this process at once. `process.exit` would wait for system threads, which may be waiting for
 * name lookups. Replacing the process with another program doesn't wait for them.
 */
export function endProcess(code: number): void {
  const canReplace = process.platform !== 'win32' && process.execve !== undefined
  if (!canReplace || !existsSync(SHELL)) process.exit(code)
  process.emit('exit', code) // removes temporary files
  stopThreads()
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

/**
 * Stops the code of all threads. While the process is being replaced, Linux refuses to start further threads, and Node
 * aborts the process if it needs one, as for each call of a hook.
 */
function stopThreads(): void {
  for (const thread of threads) void thread.terminate()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, threads.size > 0 ? STOP_MS : 0)
}
