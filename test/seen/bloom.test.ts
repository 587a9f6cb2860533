import { expect, it } from 'vitest'
import { allocateBloom, BloomSeenSet } from '../../src/seen/bloom.ts'
import { describeSeenSet } from './contract.ts'

describeSeenSet('bloom')

it.each([
  { falsePositiveRate: 0.01, probes: 400_000 },
  { falsePositiveRate: 0.001, probes: 1_600_000 },
])(
  'errs at the rate of $falsePositiveRate when full, within 10 %',
  ({ falsePositiveRate, probes }) => {
    const expectedUrls = 20_000
    const memory = allocateBloom({ name: 'bloom', expectedUrls, falsePositiveRate }, [1, 2])
    const seen = new BloomSeenSet(memory, 0)
    seen.addIfNew(numbered('in', 0, expectedUrls))
    expect(within(seen.stats().falsePositiveRate / falsePositiveRate, 0.02)).toBe(true)

    // Asking adds, so the filter is put back before it has changed by a thousandth.
    const filter = new Uint8Array(memory.filter)
    const full = filter.slice()
    let mistaken = 0
    for (let start = 0; start < probes; start += 40) {
      mistaken += seen.addIfNew(numbered('out', start, 40)).filter((fresh) => !fresh).length
      filter.set(full)
    }
    expect(within(mistaken / probes / falsePositiveRate, 0.1)).toBe(true)
  },
)

function numbered(path: string, start: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://a.example/${path}/${start + index}`)
}

function within(ratio: number, tolerance: number): boolean {
  return Math.abs(ratio - 1) < tolerance
}
