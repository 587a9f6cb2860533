import { DatabaseSync, StatementSync } from 'node:sqlite'

const ATOMIC = ['add', 'compareExchange', 'exchange', 'load', 'or', 'store', 'sub'] as const

class Death extends Error {}

/**
 * Runs a function up to its n-th step that other threads can observe (an operation on shared memory, or an SQL
 * statement), and stops there, like a thread that dies.
 * @returns true if it died; false if the function ended before
 */
export function dieAt(step: number, work: () => void): boolean {
  let left = step
  const restore = [
    ...intercept(Atomics, ATOMIC, count),
    ...intercept(StatementSync.prototype, ['run'], count),
    // A transaction ends with the connection of the thread.
    ...intercept(DatabaseSync.prototype, ['exec'], (sql) => sql !== 'ROLLBACK' && count()),
  ]
  function count(): void {
    if (--left <= 0) throw new Death()
  }
  try {
    work()
    return false
  } catch (error) {
    if (error instanceof Death || (error instanceof Error && error.cause instanceof Death))
      return true
    throw error
  } finally {
    for (const undo of restore) undo()
  }
}

function intercept<Name extends string>(
  owner: { [N in Name]: unknown },
  names: readonly Name[],
  before: (...values: readonly unknown[]) => void,
): (() => void)[] {
  return names.map((name) => {
    const whole = Object.getOwnPropertyDescriptor(owner, name)
    const method = owner[name]
    if (whole === undefined || typeof method !== 'function') throw new TypeError(name)
    const value = function (this: unknown, ...values: readonly unknown[]) {
      before(...values)
      return Reflect.apply(method, this, values)
    }
    Object.defineProperty(owner, name, { ...whole, value })
    return () => Object.defineProperty(owner, name, whole)
  })
}
