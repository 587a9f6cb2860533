import { expect, it } from 'vitest'
import { torture } from './torture.ts'

it.each(['bloom', 'exact'] as const)(
  'lets exactly one of 8 threads win each URL of the %s set',
  async (name) => {
    const { claimedTwice, lost, stats, urls } = await torture({
      name,
      threads: 8,
      urls: 300_000,
      window: 16,
    })
    expect(claimedTwice).toBe(0)
    expect(stats.added).toBe(urls - lost)
    expect(lost).toBeLessThanOrEqual(name === 'exact' ? 0 : urls / 1000)
  },
)
