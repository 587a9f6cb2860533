import { type Context, createContext, Script } from 'node:vm'

const globals: { work?: (() => unknown) | undefined } = {}
/** The context and script that run the work, created on first use, since every worker loads this file. */
let runner: { readonly context: Context; readonly script: Script } | undefined

/** Synchronous work took too long. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms / 1_000} s`)
  }
}

/**
 * Runs synchronous work, and terminates it if it takes too long. Parsers may need more than linear time for hostile
 * pages, and users' code may loop forever.
 * @throws {TimeoutError} if it took too long; otherwise the error of the work
 */
export function withTimeout<T>(ms: number, work: () => T): T {
  runner ??= { context: createContext(globals), script: new Script('work()') }
  globals.work = work
  try {
    return runner.script.runInContext(runner.context, { timeout: ms })
  } catch (error) {
    throw isTimeout(error) ? new TimeoutError(ms) : error
  } finally {
    globals.work = undefined
  }
}

/** Returns whether an error is a time-out. Errors of the other context are no instances of this context's `Error`. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
