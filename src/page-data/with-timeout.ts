import { type Context, createContext, Script } from 'node:vm'

const globals: { work?: (() => unknown) | undefined } = {}
/** Made when they are first needed: every worker loads this file. */
let room: { readonly context: Context; readonly script: Script } | undefined

/**
 * Runs work that isn't asynchronous, and ends it by force where it takes too long. Parsers need more than
 * linear time for pages that are made to hurt, and the code of users may run in circles.
 * @throws what the work throws, or that it took too long
 */
export function withTimeout<T>(ms: number, work: () => T): T {
  room ??= { context: createContext(globals), script: new Script('work()') }
  globals.work = work
  try {
    return room.script.runInContext(room.context, { timeout: ms })
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
