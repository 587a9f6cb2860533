import { setFlagsFromString } from 'node:v8'

const LINEAR_FALLBACK = '--enable-experimental-regexp-engine-on-excessive-backtracks'

/**
 * Bounds the time of regular expressions that are compiled from now on, in all threads: after 50,000 backtracks
 * V8 goes on with an engine that is linear in the length of the text. That engine does not support look-ahead,
 * back references and large counted repetitions; these stay unbounded.
 */
export function boundBacktracking(): void {
  setFlagsFromString(LINEAR_FALLBACK)
}
