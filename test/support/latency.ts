import { seededRandom } from './random.ts'

/**
 * How long a page takes to answer, in ms: mostly 0 to 30, one page in fifty up to 200.
 * It depends on the page and the seed alone, so a crawl can be repeated under the same timing.
 */
export function latencyOf(page: number, seed: number): number {
  const random = seededRandom(seed + Math.imul(page, 0x9e3779b9))
  return random() * (random() < 0.02 ? 200 : 30)
}
