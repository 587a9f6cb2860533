import { describe, expect, it } from 'vitest'
import { allocatePages, PAGE_BYTES } from '../../src/runtime/allocate-pages.ts'

const MIB = 2 ** 20

/**
 * Returns by how many bytes the memory of this process grows with each of three tables. One of them may get memory that
 * the process has already, and other threads allocate and free memory meanwhile.
 */
function growths(bytes: number): number[] {
  const tables = [1, 2, 3].map(() => new Int32Array(new SharedArrayBuffer(bytes)))
  return tables.map((words) => {
    const before = process.memoryUsage.rss()
    allocatePages(words)
    return process.memoryUsage.rss() - before
  })
}

describe('allocatePages', () => {
  it('allocates all memory of a table', () => {
    expect(Math.max(...growths(8 * MIB))).toBeGreaterThan(6 * MIB)
  })

  it('interrupts a thread once per page of memory, not first for a read and then for a write', () => {
    const pages = (4 * MIB) / PAGE_BYTES
    // Other threads of this process have page faults, too.
    const faults = [1, 2, 3].map(() => {
      const words = new Int32Array(new SharedArrayBuffer(4 * MIB))
      const before = process.resourceUsage().minorPageFault
      allocatePages(words)
      return process.resourceUsage().minorPageFault - before
    })
    expect(Math.min(...faults)).toBeLessThan(1.5 * pages)
  })

  it('allocates no memory for a table that may never be used as a whole', () => {
    expect(Math.min(...growths(64 * MIB))).toBeLessThan(6 * MIB)
  })

  it('keeps the contents of a table', () => {
    const words = Uint32Array.from({ length: 5_000 }, (_, index) => index * 1_000_003)
    const expected = [...words]
    allocatePages(words)
    expect([...words]).toEqual(expected)
  })
})
