import { setTimeout as sleep } from 'node:timers/promises'
import { collect } from '../../src/runtime/collect-garbage.ts'
import { BodySlots } from '../../src/runtime/shared-body-memory.ts'

/** A process that prints by how many bytes memory that nobody uses makes it larger, after other such memory was freed. */
const before = process.memoryUsage.rss()
for (let crawl = 0; crawl < 6; crawl++) {
  BodySlots.allocate(10 * 2 ** 20)
  await sleep(10)
  collect({ type: 'major' })
  await sleep(20)
}
const memory = BodySlots.allocate(10 * 2 ** 20)
console.log(process.memoryUsage.rss() - before)
collect({ type: 'major' })
if (memory.maxBody === 0) process.exitCode = 1 // keeps the memory until here
