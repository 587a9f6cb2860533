import { describe, expect, it } from 'vitest'
import { growTo, memoryLimit, reserveShared } from '../../src/seen/growable-shared-buffer.ts'

describe('memory that grows', () => {
  it('is reserved as far as there are addresses', () => {
    const buffer = reserveShared(4096, 2 ** 47)
    expect(buffer.byteLength).toBe(4096)
    expect(buffer.maxByteLength).toBeGreaterThan(2 ** 30)
    expect(() => reserveShared(2 ** 52, 2 ** 52)).toThrow(RangeError)
  })

  it('grows to the requested size, and no further than its maximum', () => {
    const buffer = reserveShared(4096, 16_384)
    expect([growTo(buffer, 8192), buffer.byteLength]).toEqual([true, 8192])
    expect([growTo(buffer, 4096), buffer.byteLength]).toEqual([true, 8192])
    expect([growTo(buffer, 16_385), buffer.byteLength]).toEqual([false, 8192])
  })

  it('is limited by the memory that the process may use', () => {
    expect(memoryLimit()).toBeGreaterThan(process.memoryUsage.rss())
  })
})
