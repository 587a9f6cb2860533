import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: {
  readonly type: 'minor' | 'major'
  readonly flavor?: 'last-resort'
}) => void

/** Milliseconds between two last-resort collections, which take several times as long as a plain one. */
const REST_MS = 1_000

let collector: Collect | undefined
let lastResort = Number.NEGATIVE_INFINITY
let isEager = false

/**
 * Runs V8's garbage collector: `minor` for young objects, in 1 ms or so; `major` for all, in some 10 ms, or as a
 * last resort several times over, until the heap is as small as it gets.
 */
export const collect: Collect = (options) => {
  collector ??= exposedCollector()
  collector(options)
}

/** Makes `collectGarbage` collect. To be called where memory is scarcer than time; otherwise V8 decides. */
export function collectEagerly(): void {
  isEager = true
}

/**
 * Frees garbage at once: after large bodies V8 would let dozens of megabytes gather in each thread.
 * @param kind `major` also gives memory back to the system
 */
export function collectGarbage(kind: 'minor' | 'major'): void {
  if (!isEager) return
  if (kind === 'minor') collect({ type: 'minor' })
  else if (performance.now() - lastResort < REST_MS) collect({ type: 'major' })
  else {
    collect({ type: 'major', flavor: 'last-resort' })
    lastResort = performance.now()
  }
}

function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
