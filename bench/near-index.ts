/**
 * Looks pages up in the index of near-duplicates, and prints the nanoseconds of CPU time per look-up: for random
 * hashes, and for hashes of a site whose pages are all very similar.
 *
 *     node bench/near-index.ts [pages]
 */
import { NearIndex } from '../src/duplicates/near-index.ts'
import { seededRandom } from '../test/support/random.ts'
import { cpuSince } from './measure/cpu-time.ts'

const LOOK_UPS = 20_000
const pages = Number(process.argv[2] ?? 1_000_000)
const random = seededRandom(1)
const word = () => Math.floor(random() * 2 ** 32) | 0

/** Returns a hash that differs from a fixed one in about six bits, so from other such hashes in about eleven. */
function alike(): [number, number] {
  const noise = () => word() & word() & word() & (random() < 0.5 ? word() : -1)
  return [0x12345678 ^ noise(), 0x09abcdef ^ noise()]
}

function measure(name: string, hash: () => [number, number]): void {
  const index = new NearIndex()
  for (let id = 1; id <= pages; id++) index.add(...hash(), id)
  const queries = Array.from({ length: LOOK_UPS }, hash)
  let found = 0
  const start = process.cpuUsage()
  for (const query of queries) if (index.find(...query) !== undefined) found++
  const ns = Math.round((cpuSince(start) * 1_000) / LOOK_UPS)
  process.stdout.write(`${JSON.stringify({ name, pages, ns, found })}\n`)
}

measure('random', () => [word(), word()])
measure('alike', alike)
