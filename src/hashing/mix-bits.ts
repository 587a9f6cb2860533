/** Finalizer of MurmurHash3 (Appleby) on 32 bits: each input bit affects all output bits. */
export function mixBits(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
