import { collect } from './garbage-collector.ts'

/** Milliseconds from one thorough collection to the next: it takes several times as long as a plain one. */
const REST_MS = 1_000

let last = Number.NEGATIVE_INFINITY
let isEager = false

/** To be called where memory counts for more than time: otherwise V8 decides. */
export function collectEagerly(): void {
  isEager = true
}

/**
 * Frees what nothing refers to any more, at once: after large bodies V8 would let dozens of megabytes
 * gather in each thread.
 * @param kind `major`: all of it, and gives the memory back
 */
export function collectGarbage(kind: 'minor' | 'major'): void {
  if (!isEager) return
  if (kind === 'minor') collect({ type: 'minor' })
  else if (performance.now() - last < REST_MS) collect({ type: 'major' })
  else {
    collect({ type: 'major', flavor: 'last-resort' })
    last = performance.now()
  }
}
