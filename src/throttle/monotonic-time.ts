import { hrtime } from 'node:process'

/** Returns milliseconds of a clock that all threads of the process share; that of `performance` differs by thread. */
export function monotonicTime(): number {
  return Number(hrtime.bigint()) / 1e6
}
