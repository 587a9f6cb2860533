import { describe, expect, it } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { allocateSeenSet } from '../../src/seen/registry.ts'

describe('allocateSeenSet', () => {
  it('gives each crawl a hash key of its own, unless one is passed', () => {
    const options = { name: 'bloom', expectedUrls: 10, falsePositiveRate: 0.01 } as const
    expect(allocateSeenSet(options).key).not.toEqual(allocateSeenSet(options).key)
    expect(allocateSeenSet({ ...options, key: [1, 2] }).key).toEqual([1, 2])
  })

  it.each(['bloom', 'exact'] as const)(
    'refuses an impossible size of %s as a usage error',
    (name) => {
      const options = { name, expectedUrls: 1e12, falsePositiveRate: 0.01 }
      expect(() => allocateSeenSet(options)).toThrow(CrawlerError)
      expect(() => allocateSeenSet(options)).toThrow(
        expect.objectContaining({ kind: 'usage', message: expect.stringContaining('at most') }),
      )
    },
  )
})
