import { hrtime } from 'node:process'

/** Returns milliseconds of a clock that all threads of the process share. `performance.now` differs between threads. */
export function monotonicTime(): number {
  return Number(hrtime.bigint()) / 1e6
}
