/** Bytes of an answer that may be something else than its body, and for each of its body. */
const OVERHEAD = 2 ** 20
const OVERHEAD_OF_BYTE = 8

/** Returns whether a server sends much more than the body: a header without an end, extensions, empty frames. */
export function exceedsOverhead(received: number, body: number): boolean {
  return received > OVERHEAD + OVERHEAD_OF_BYTE * body
}
