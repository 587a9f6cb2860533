import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { collect } from '../../src/runtime/collect-garbage.ts'
import { HeapTrimmer } from '../../src/runtime/heap-trimmer.ts'
import { applyMemoryFlags, liftYoungGenerationLimit } from '../../src/runtime/v8-memory-flags.ts'

/**
 * A process that creates short-lived objects after a last-resort collection. Prints the size of the young generation.
 */
const [young] = process.argv.slice(2).map(Number)
applyMemoryFlags(1)
// The bound is in effect once a thread has started.
liftYoungGenerationLimit()()
new HeapTrimmer(young, 2 ** 40)
collect({ type: 'major', flavor: 'last-resort' })
let objects: { row: number }[] = []
const end = performance.now() + (young === undefined ? 500 : 15_000)
while (performance.now() < end && bytesOfYoung() < 6 * 2 ** 20) {
  for (let row = 0; row < 20_000; row++) objects.push({ row })
  if (objects.length > 100_000) objects = []
  await sleep(1)
}
console.log(bytesOfYoung())

function bytesOfYoung(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}
