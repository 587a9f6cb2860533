import { LiftableFlag } from './liftable-flag.ts'

/**
 * Milliseconds, from the start of the first thread on, in which V8 compiles no function with Turbofan, its slowest
 * compiler. Crawls of a few seconds took 5 % less CPU time without it. In longer ones, its code is worth the time.
 */
const DELAY_MS = 4_000

const noTurbofan = new LiftableFlag('--no-turbofan', '--turbofan')
/** Undefined before the delay. */
let endDelay: (() => void) | undefined

/**
 * Turns Turbofan on while a thread loads its program. The delay starts with the first thread of the process.
 * @returns a function to call once the thread has loaded its program
 */
export function liftTurbofanDelay(): () => void {
  const loaded = noTurbofan.lift()
  if (endDelay === undefined) {
    endDelay = noTurbofan.want()
    setTimeout(endDelay, DELAY_MS).unref()
  }
  return loaded
}

/** Ends the delay. V8 has its own flags from then on. */
export function endTurbofanDelay(): void {
  endDelay?.()
}
