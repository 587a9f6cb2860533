/** Size of a page of memory on most systems, in bytes. Larger pages are written several times, which does no harm. */
export const PAGE_BYTES = 4096
/** Maximum size of an array that is allocated at once, in bytes. */
const MAX_BYTES = 2 ** 23

/**
 * Makes the system allocate the memory of a new array at once, for tables that are read and written at random places.
 * Otherwise, the first access to each page of memory interrupts the thread. If it is a read, the system maps zeros that
 * all pages share, and the first write interrupts all cores, since they must forget that mapping. That costs ten times
 * as much. Keeps the contents, which other threads may change meanwhile. Does nothing if the array is large: it may
 * never be used as a whole.
 */
export function allocatePages(words: Int32Array | Uint32Array): void {
  if (words.byteLength > MAX_BYTES) return
  const step = PAGE_BYTES / words.BYTES_PER_ELEMENT
  // Unlike `Atomics.or` and the like, this doesn't read before it writes.
  for (let index = 0; index < words.length; index += step)
    Atomics.compareExchange(words, index, 0, 0)
}
