import { garbageCollector } from '../wire/garbage-collector.ts'

let collect: ReturnType<typeof garbageCollector> | undefined

/**
 * Frees what nothing refers to any more, at once: after large bodies V8 would let dozens of megabytes
 * gather in each thread.
 */
export function collectGarbage(kind: 'minor' | 'major'): void {
  collect ??= garbageCollector()
  if (kind === 'minor') collect({ type: 'minor' })
  else collect()
}
