/** Number of bytes of a name in the table. All of them are compared at once. */
const NAME_BYTES = 16
/** The padding after names. No name contains this character. */
export const NAME_FILL = '>'
const WORD = 2n ** 64n

/** Names by their hash, so that one comparison shows whether a name is among them. */
export interface NameTable {
  /** Each name in `NAME_BYTES` bytes, padded with `NAME_FILL`. */
  readonly names: Uint8Array
  /** The index of the name at each place, or `none`. */
  readonly places: Uint8Array
  /** A name's place is its key times this number, shifted right by `shift`. */
  readonly multiplier: bigint
  readonly shift: number
}

/** Builds a table. Searches for a multiplier with which no two names share a place. */
export function nameTable(list: readonly string[], placeBits: number, none: number): NameTable {
  const names = Buffer.concat(list.map(paddedName))
  const keys = list.map((name) => keyOf(paddedName(name)))
  const shift = 64 - placeBits
  let multiplier = 0x9e37_79b9_7f4a_7c15n
  let places: Uint8Array | undefined
  while (places === undefined) {
    multiplier = ((multiplier * 0x5851_f42d_4c95_7f2dn + 0x1405_7b7e_f767_814fn) % WORD) | 1n
    places = placed(keys, multiplier, shift, new Uint8Array(2 ** placeBits).fill(none))
  }
  return { names, places, multiplier, shift }
}

function placed(keys: readonly bigint[], multiplier: bigint, shift: number, places: Uint8Array) {
  const none = places[0]
  for (const [index, key] of keys.entries()) {
    const place = Number(((key * multiplier) % WORD) >> BigInt(shift))
    if (places[place] !== none) return undefined
    places[place] = index
  }
  return places
}

/** Returns the hash key of a name. The function must equal the one in assemblyscript/names.ts. */
function keyOf(name: Buffer): bigint {
  const second = name.readBigUInt64LE(8)
  return name.readBigUInt64LE(0) ^ (((second << 32n) % WORD) | (second >> 32n))
}

function paddedName(name: string): Buffer {
  if (name.length > NAME_BYTES) throw new Error(`too long a name: ${name}`)
  return Buffer.from(name.padEnd(NAME_BYTES, NAME_FILL), 'latin1')
}
