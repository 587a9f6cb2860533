import { setFlagsFromString } from 'node:v8'

/**
 * Milliseconds, from the start of the first thread on, in which V8 compiles no function with Turbofan, its slowest
 * compiler. Crawls of a few seconds took 5 % less CPU time without it. In longer ones, its code is worth the time.
 */
const DELAY_MS = 4_000

const ON = '--turbofan'
const OFF = '--no-turbofan'

let isStarted = false
let isOver = false
/** Number of threads that are loading their programs. */
let loading = 0
let isOff = false

/**
 * Turns Turbofan on while a thread loads its program, since V8 rejects cached code that was compiled under other flags.
 * The delay starts with the first thread of the process.
 * @returns a function to call once the thread has loaded its program
 */
export function liftTurbofanDelay(): () => void {
  if (!isStarted) start()
  loading++
  review()
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    loading--
    review()
  }
}

function start(): void {
  isStarted = true
  setTimeout(endTurbofanDelay, DELAY_MS).unref()
}

/** Ends the delay. V8 has its own flags from then on. */
export function endTurbofanDelay(): void {
  isOver = true
  review()
}

function review(): void {
  const shouldBeOff = loading === 0 && !isOver
  if (shouldBeOff !== isOff) setFlagsFromString(shouldBeOff ? OFF : ON)
  isOff = shouldBeOff
}
