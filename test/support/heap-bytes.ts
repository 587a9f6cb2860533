import { collect } from '../../src/runtime/collect-garbage.ts'

/** Returns the bytes of the heap that are in use, after garbage collection. */
export function heapBytes(): number {
  collect({ type: 'major' })
  return process.memoryUsage().heapUsed
}
