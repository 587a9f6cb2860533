import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: {
  readonly type: 'minor' | 'major'
  readonly flavor?: 'last-resort'
}) => void

/** Minimum milliseconds between two last-resort collections, which take several times as long as a plain one. */
const REST_MS = 1_000

let collector: Collect | undefined
let lastResort = Number.NEGATIVE_INFINITY
let isEager = false

/**
 * Runs V8's garbage collector. `minor` collects young objects, in about 1 ms; `major` collects all objects, in about
 * 10 ms. The flavor `last-resort` repeats it until the heap can't get smaller.
 */
export const collect: Collect = (options) => {
  collector ??= exposedCollector()
  collector(options)
}

/** Makes `collectGarbage` collect. Called if memory is scarcer than time. Otherwise V8 decides when to collect. */
export function collectEagerly(): void {
  isEager = true
}

/**
 * Frees garbage at once, if `collectEagerly` was called. After large bodies, V8 would let dozens of megabytes
 * accumulate in each thread.
 * @param kind `major` also returns memory to the system
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
  for (;;) {
    setFlagsFromString('--expose-gc')
    const exposed: Collect | undefined = runInNewContext('globalThis.gc')
    // Under another flag, V8 would reject the cached code of threads that start later.
    setFlagsFromString('--no-expose-gc')
    // All threads share the flags, so another one may have turned this flag off too early.
    if (exposed !== undefined) return exposed
  }
}
