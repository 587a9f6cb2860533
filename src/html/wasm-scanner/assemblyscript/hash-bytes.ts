/** The secret key of the hash. Without it, no site can create URLs that collide in a table. */
let key: u64 = 0
let multiplier: u64 = 1

/** @param second is made odd, since an even multiplier would lose bits */
export function useKey(first: u64, second: u64): void {
  key = first
  multiplier = second | 1
}

/**
 * Returns a hash of at least one byte and a number. Up to 7 bytes after the given ones are read, too, but don't affect
 * the hash.
 */
export function hashOf(address: usize, length: i32, number: u64): u64 {
  assert(length > 0 && isInMemory(address, length))
  let hash = mixed(key ^ (number << 32) ^ length)
  let at = address
  let left = length
  for (; left > 8; left -= 8) {
    hash = mixed(hash ^ load<u64>(at))
    at += 8
  }
  const last = load<u64>(at) & (u64.MAX_VALUE >>> ((8 - left) << 3))
  return mixed(mixed(hash ^ last))
}

function mixed(hash: u64): u64 {
  const product = hash * multiplier
  return product ^ (product >>> 32)
}

/** Returns whether two texts are equal. Up to 15 bytes after them are read, too, but not compared. */
export function areSame(one: usize, other: usize, length: i32): bool {
  assert(isInMemory(one, length) && isInMemory(other, length))
  for (let at = 0; at < length; at += 16) {
    const equal = i8x16.bitmask(i8x16.eq(v128.load(one + at), v128.load(other + at)))
    const left = length - at
    const counts = left >= 16 ? 0xffff : (1 << left) - 1
    if ((equal & counts) !== counts) return false
  }
  return true
}

function isInMemory(address: usize, length: i32): bool {
  return length >= 0 && address + length <= (<usize>memory.size()) << 16
}
