import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { readonly type: 'minor' }) => void

let collect: Collect | undefined

/**
 * Frees what nothing refers to any more, at once: after large bodies V8 would let dozens of megabytes
 * gather in each thread.
 * @param kind `minor`: what is young, in 1 ms or so; `major`: all of it, in some 10 ms
 */
export function collectGarbage(kind: 'minor' | 'major'): void {
  collect ??= load()
  if (kind === 'minor') collect({ type: 'minor' })
  else collect()
}

function load(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
