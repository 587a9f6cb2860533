import { freeAddressSpace } from '../runtime/process-limits.ts'

/**
 * Share of the free addresses to reserve at a time, where they are limited (`ulimit -v`): there are
 * six of these buffers, and threads take more than a gigabyte each.
 */
const SHARE = 1 / 16

/**
 * Reserves shared memory of `bytes` that may grow to `maxBytes`, or to less where the address space
 * is limited. Only addresses are reserved: memory is allocated on the first write.
 * @throws RangeError when there is no room for `bytes`
 */
export function reserveShared(bytes: number, maxBytes: number): SharedArrayBuffer {
  const share = Math.floor((freeAddressSpace() ?? Number.POSITIVE_INFINITY) * SHARE)
  const wanted = Math.max(bytes, Math.min(maxBytes, share))
  for (let reserved = wanted; ; reserved = Math.max(bytes, Math.floor(reserved / 2))) {
    try {
      return new SharedArrayBuffer(bytes, { maxByteLength: reserved })
    } catch (error) {
      if (reserved === bytes) throw error
    }
  }
}

/** Grows to at least `bytes`, even if another thread does too; false when that is impossible. */
export function growTo(buffer: SharedArrayBuffer, bytes: number): boolean {
  if (buffer.byteLength >= bytes) return true
  try {
    buffer.grow(bytes)
    return true
  } catch {
    // Another thread may have grown it further meanwhile, which makes this one a shrink.
    return buffer.byteLength >= bytes
  }
}
