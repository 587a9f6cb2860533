import type { SeenSet } from '../../src/seen/seen-set.ts'

/** Returns numbered URLs, all different from those of another path. */
export function numbered(path: string, start: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://a.example/${path}/${start + index}`)
}

/** Returns the share of `probes` URLs, none of which was added, that the set reports as known. */
export async function measuredRate(seen: SeenSet, probes: number): Promise<number> {
  let mistaken = 0
  for (let start = 0; start < probes; start += 10_000) {
    const count = Math.min(10_000, probes - start)
    for (const isKnown of await seen.has(numbered('out', start, count))) if (isKnown) mistaken++
  }
  return mistaken / probes
}

export function within(ratio: number, tolerance: number): boolean {
  return Math.abs(ratio - 1) < tolerance
}
