import { totalmem } from 'node:os'
import { expect, it } from 'vitest'
import { memoryLimit } from '../../src/runtime/process-limits.ts'

it('the limit of memory is between the memory in use and that of the machine', () => {
  expect(memoryLimit()).toBeGreaterThan(process.memoryUsage.rss())
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem())
})
