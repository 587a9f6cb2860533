import { totalmem } from 'node:os'
import { expect, it, vi } from 'vitest'
import { memoryLimit, residentMemory } from '../../src/runtime/process-limits.ts'

it('the limit of memory is between the memory in use and that of the machine', () => {
  expect(memoryLimit()).toBeGreaterThan(process.memoryUsage.rss())
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem())
})

it('the memory in use is the maximum so far where the system has no /proc', () => {
  const inUse = residentMemory()
  vi.spyOn(process.memoryUsage, 'rss').mockImplementationOnce(() => {
    throw new Error('ENOENT: no such file or directory, uv_resident_set_memory')
  })
  expect(residentMemory()).toBeGreaterThan(inUse * 0.9)
})
