import { totalmem } from 'node:os'

/** Memory that this process may use, in bytes: of the machine, or of the container it runs in. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
}

/**
 * Shared memory of `bytes` that may grow to `most`, or to half of it, and so on, where the address
 * space is limited (`ulimit -v`). Only addresses are reserved: memory is taken as it is written to.
 * @throws RangeError when there is no room for `bytes`
 */
export function reserveShared(bytes: number, most: number): SharedArrayBuffer {
  for (let room = Math.max(bytes, most); ; room = Math.max(bytes, Math.floor(room / 2))) {
    try {
      return new SharedArrayBuffer(bytes, { maxByteLength: room })
    } catch (error) {
      if (room === bytes) throw error
    }
  }
}

/** Grows to at least `bytes`, which another thread may be doing too; false when it can't be. */
export function growTo(buffer: SharedArrayBuffer, bytes: number): boolean {
  if (buffer.byteLength >= bytes) return true
  try {
    buffer.grow(bytes)
    return true
  } catch {
    // Another thread may have grown it further meanwhile, which makes ours a shrink.
    return buffer.byteLength >= bytes
  }
}
