import { mixBits } from '../../hashing/mix-bits.ts'

/** Returns a hash of the host and port of a canonical URL, 0 to 2^32 - 1 (FNV-1a, its bits mixed). */
export function hashHost(url: string): number {
  let hash = 0x811c9dc5
  const start = url.indexOf('//') + 2
  for (let at = start; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === SLASH) break
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  return mixBits(hash) >>> 0
}

const SLASH = 0x2f
