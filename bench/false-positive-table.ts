/**
 * Measures the false-positive rate of a Bloom filter by bits per URL (m/n) and hash functions (k), and compares it with
 * the formula of textbooks, (1 - e^(-kn/m))^k. m/n is 2 to 32, and k is 1 to the smaller of 8 and m/n. Each measurement
 * has enough probes for 100 expected hits. Fails if a rate is off by more than four standard errors.
 *
 *   node bench/false-positive-table.ts
 */

import { randomHashKey } from '../src/hashing/half-siphash.ts'
import { UrlHash } from '../src/hashing/url-hash.ts'
import { BloomBitArray, bloomSliceBytes } from '../src/seen/bloom/bloom-bit-array.ts'

const URLS = 50_000
const EXPECTED_HITS = 100
const TOLERANCE = 4

/** One filter of the table, with its measurement. */
interface Cell {
  readonly bitsPerUrl: number
  readonly hashes: number
  /** The rate according to the formula. */
  readonly rate: number
  readonly slice: BloomBitArray
  probes: number
  hits: number
}

const hash = new UrlHash(randomHashKey())

function hashed(url: string): UrlHash {
  hash.of(url)
  return hash
}

function cellOf(bitsPerUrl: number, hashes: number): Cell {
  const size = { bits: bitsPerUrl * URLS + 1, hashes }
  const words = new Int32Array(new SharedArrayBuffer(bloomSliceBytes(size)))
  const slice = new BloomBitArray(size, words, new Int32Array(new SharedArrayBuffer(8)))
  const rate = (-Math.expm1(-hashes / bitsPerUrl)) ** hashes
  return { bitsPerUrl, hashes, rate, slice, probes: 0, hits: 0 }
}

/**
 * Returns the difference between the measured and the computed rate, in standard errors. The errors are those of the
 * probes and of the number of bits set.
 */
function deviation({ rate, slice, probes, hits, hashes }: Cell): number {
  const ofProbes = Math.sqrt((rate * (1 - rate)) / probes)
  const fill = slice.bitsSet / slice.bits
  const ofFill = (hashes * rate * Math.sqrt((fill * (1 - fill)) / slice.bits)) / fill
  return Math.abs(hits / probes - rate) / Math.hypot(ofProbes, ofFill)
}

const cells: Cell[] = []
for (let bitsPerUrl = 2; bitsPerUrl <= 32; bitsPerUrl++) {
  for (let hashes = 1; hashes <= Math.min(8, bitsPerUrl); hashes++) {
    cells.push(cellOf(bitsPerUrl, hashes))
  }
}
for (let index = 0; index < URLS; index++) {
  const { first, second } = hashed(`https://in.example/${index}`)
  for (const { slice } of cells) slice.add(first, second)
}
let open = cells
for (let index = 0; open.length > 0; index++) {
  const { first, second } = hashed(`https://out.example/${index}`)
  for (const cell of open) {
    cell.probes++
    if (cell.slice.has(first, second)) cell.hits++
  }
  if (index % 1_000 === 999) open = open.filter(({ probes, rate }) => probes * rate < EXPECTED_HITS)
}

let worst = 0
for (const cell of cells) {
  const measured = (cell.hits / cell.probes).toPrecision(3)
  const off = deviation(cell)
  worst = Math.max(worst, off)
  const computed = cell.rate.toPrecision(3)
  console.log(
    `m/n ${cell.bitsPerUrl}, k ${cell.hashes}: ${measured}, computed ${computed}, off by ${off.toFixed(1)} s.e.`,
  )
}
console.log(`${cells.length} cells; the worst is off by ${worst.toFixed(1)} standard errors`)
if (worst > TOLERANCE) process.exitCode = 1
