import { type Context, createContext, Script } from 'node:vm'

const globals: { work?: (() => unknown) | undefined } = {}
/** Created when it is first needed: every worker loads this file. */
let runner: { readonly context: Context; readonly script: Script } | undefined

/**
 * Runs synchronous work, and ends it by force if it takes too long. Parsers need more than linear time for hostile
 * pages, and the code of users may loop.
 * @throws what the work throws, or that it took too long
 */
export function withTimeout<T>(ms: number, work: () => T): T {
  runner ??= { context: createContext(globals), script: new Script('work()') }
  globals.work = work
  try {
    return runner.script.runInContext(runner.context, { timeout: ms })
  } catch (error) {
    throw isTimeout(error) ? new Error(`took longer than ${ms / 1_000} s`) : error
  } finally {
    globals.work = undefined
  }
}

/** An error of the other context is no instance of `Error` here. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
