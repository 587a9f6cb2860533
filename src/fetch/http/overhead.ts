/** Maximum bytes of a response beyond its body: a fixed part, plus a number for each byte of the body. */
const OVERHEAD = 2 ** 20
const OVERHEAD_OF_BYTE = 8

/** Returns whether a server sends much more than the body, such as an endless header, extensions or empty frames. */
export function exceedsOverhead(received: number, body: number): boolean {
  return received > OVERHEAD + OVERHEAD_OF_BYTE * body
}
