import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: {
  readonly type: 'minor' | 'major'
  readonly flavor?: 'last-resort'
}) => void

let collector: Collect | undefined

/**
 * V8's garbage collector: `minor` for what is young, in 1 ms or so; otherwise all, in some 10 ms, or as a
 * last resort several times over, until the heap is as small as it gets.
 */
export const collect: Collect = (options) => {
  collector ??= exposed()
  collector(options)
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
