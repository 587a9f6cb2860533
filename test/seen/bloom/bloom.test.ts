import { expect, it } from 'vitest'
import { allocateSeenSet, openSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'
import { describeSeenSet } from '../contract.ts'
import { measuredRate, numbered, within } from '../measured-rate.ts'

describeSeenSet('bloom')

// The key and the URLs are fixed, so the result never varies. 1000 and 400 errors measure a rate within 3 % and 5 %.
it.each([
  { falsePositiveRate: 0.01, probes: 100_000 },
  { falsePositiveRate: 0.001, probes: 400_000 },
])(
  'a full Bloom filter has the error rate of $falsePositiveRate, within 10 %, and reports it',
  async ({ falsePositiveRate, probes }) => {
    const expectedUrls = 20_000
    const options = { name: 'bloom', expectedUrls, falsePositiveRate, key: [1, 2] } as const
    const seen = openSeenSet(allocateSeenSet(options), 0)
    const added = await seen.addIfNew(numbered('in', 0, expectedUrls))
    const stats = seen.stats()
    expect(within(stats.falsePositiveRate / falsePositiveRate, 0.02)).toBe(true)
    expect(within((await measuredRate(seen, probes)) / falsePositiveRate, 0.1)).toBe(true)
    const lost = added.filter((isNew) => !isNew).length
    // Few URLs are lost while the filter is filled: a Poisson count within 4 standard errors.
    expect(Math.abs(lost - stats.expectedLost)).toBeLessThan(4 * Math.sqrt(stats.expectedLost) + 1)
  },
)
