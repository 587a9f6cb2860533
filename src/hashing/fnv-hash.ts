/** Returns the 32-bit FNV-1a hash (Fowler, Noll, Vo) of an ASCII text from `start` to `end`. It has no key. */
export function fnvHash(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
