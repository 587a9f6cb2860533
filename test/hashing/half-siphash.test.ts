import { describe, expect, it } from 'vitest'
import { type HashKey, randomHashKey } from '../../src/hashing/half-siphash.ts'
import { UrlHash } from '../../src/hashing/url-hash.ts'

const key: HashKey = [0x03020100, 0x07060504]

describe('HalfSipHash', () => {
  it('agrees with the definition for every length up to 80 bytes, and around 256', () => {
    for (const length of [...Array(81).keys(), 255, 256, 257, 258, 3000]) {
      const text = String.fromCharCode(...Array.from({ length }, (_, index) => (index * 7) & 0x7f))
      expect(hashOf(text, key)).toEqual(defined(Buffer.from(text), key))
    }
  })

  it('agrees with the definition for text that is not ASCII, as UTF-8', () => {
    for (const text of ['é', 'http://a/ũ/😀', '\uffff'.repeat(200)]) {
      expect(hashOf(text, key)).toEqual(defined(Buffer.from(text), key))
    }
  })

  it("reads a lone surrogate, which UTF-8 can't encode, as U+FFFD", () => {
    for (const text of ['\ud800', 'a\udc00b', '\ud83d\ud83d\ude00']) {
      expect(hashOf(text, key)).toEqual(hashOf(text.toWellFormed(), key))
    }
  })

  it('depends on both halves of the key', () => {
    const hashes = [key, [key[0] ^ 1, key[1]], [key[0], key[1] ^ 1]] as const
    expect(new Set(hashes.map((other) => hashOf('http://a/', other).join())).size).toBe(3)
  })

  it('uses a different random key each time', () => {
    expect(randomHashKey()).not.toEqual(randomHashKey())
  })

  it('flips about half of the output bits when one input bit flips', () => {
    let flipped = 0
    for (let index = 0; index < 2000; index++) {
      const [even, odd] = [hashOf(`http://a/${index}/0`, key), hashOf(`http://a/${index}/1`, key)]
      flipped += bitsIn((even[0] ^ odd[0]) >>> 0) + bitsIn((even[1] ^ odd[1]) >>> 0)
    }
    expect(flipped / 2000).toBeGreaterThan(31.5)
    expect(flipped / 2000).toBeLessThan(32.5)
  })
})

function hashOf(text: string, secret: HashKey): [number, number] {
  const hash = new UrlHash(secret)
  hash.of('earlier text that leaves its bytes behind'.repeat(3))
  hash.of(text)
  return [hash.first >>> 0, hash.second >>> 0]
}

/** HalfSipHash-1-3-64, implemented from its definition: a state of four words, compressed byte by byte. */
function defined(bytes: Uint8Array, secret: HashKey): [number, number] {
  const [k0, k1] = [BigInt(secret[0] >>> 0), BigInt(secret[1] >>> 0)]
  let state = [k0, k1 ^ 0xeen, k0 ^ 0x6c796765n, k1 ^ 0x74656462n]
  const tail = [...bytes.subarray(bytes.length & ~3), 0, 0, 0].slice(0, 3)
  for (const word of [...wholeWords(bytes), littleEndian([...tail, bytes.length & 0xff])]) {
    state = mixed(state, 3, word)
    state = mixed(sipRound(state), 0, word)
  }
  state = threeRounds(mixed(state, 2, 0xeen))
  const first = (state[1] ?? 0n) ^ (state[3] ?? 0n)
  state = threeRounds(mixed(state, 1, 0xddn))
  return [Number(first), Number((state[1] ?? 0n) ^ (state[3] ?? 0n))]
}

function* wholeWords(bytes: Uint8Array): Generator<bigint> {
  for (let start = 0; start + 4 <= bytes.length; start += 4) {
    yield littleEndian([...bytes.subarray(start, start + 4)])
  }
}

function littleEndian(bytes: readonly number[]): bigint {
  return bytes.reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n)
}

function mixed(state: readonly bigint[], place: number, word: bigint): bigint[] {
  return state.map((value, index) => (index === place ? value ^ word : value))
}

function threeRounds(state: readonly bigint[]): bigint[] {
  return sipRound(sipRound(sipRound(state)))
}

function sipRound([a = 0n, b = 0n, c = 0n, d = 0n]: readonly bigint[]): bigint[] {
  const a1 = BigInt.asUintN(32, a + b)
  const b1 = rotated(b, 5n) ^ a1
  const c1 = BigInt.asUintN(32, c + d)
  const d1 = rotated(d, 8n) ^ c1
  const a2 = BigInt.asUintN(32, rotated(a1, 16n) + d1)
  const c2 = BigInt.asUintN(32, c1 + b1)
  return [a2, rotated(b1, 13n) ^ c2, rotated(c2, 16n), rotated(d1, 7n) ^ a2]
}

function rotated(word: bigint, by: bigint): bigint {
  return BigInt.asUintN(32, word << by) | (word >> (32n - by))
}

function bitsIn(word: number): number {
  return word.toString(2).replaceAll('0', '').length
}
