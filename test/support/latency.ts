import { seededRandom } from './random.ts'

/**
 * Returns how long a page takes to respond, in ms: mostly 0 to 30, one page in fifty up to 200. It depends only on the
 * page and the seed, so a crawl can be repeated with the same timing.
 */
export function latencyOf(page: number, seed: number): number {
  const random = seededRandom(seed + Math.imul(page, 0x9e3779b9))
  return random() * (random() < 0.02 ? 200 : 30)
}
