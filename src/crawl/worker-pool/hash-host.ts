import { fnvHash } from '../../hashing/fnv-hash.ts'
import { mixBits } from '../../hashing/mix-bits.ts'
import { pathStart } from '../../url/origin.ts'

/** Returns a hash of the host and port of a canonical URL, 0 to 2^32 - 1. */
export function hashHost(url: string): number {
  return mixBits(fnvHash(url, url.indexOf('//') + 2, pathStart(url))) >>> 0
}
