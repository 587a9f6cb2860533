import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { DigestName, SeenOptions } from '../../../src/seen/seen-set.ts'
import { allocateSeenSet, openSeenSet, planSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'
import { urlDigester } from '../../../src/seen/url-digest.ts'
import { chosen } from '../../support/soak.ts'
import { describeSeenSet } from '../contract.ts'
import { numbered, within } from '../measured-rate.ts'

describeSeenSet('digest')

const names: readonly DigestName[] = ['halfsiphash', 'md5', 'sha-1', 'sha-256']
const optionsOf = (digest: DigestName): SeenOptions => ({
  ...{ name: 'digest', expectedUrls: 1_000, falsePositiveRate: 0.5, key: [1, 2], digest },
})

describe.each(chosen(names, (name) => name === 'halfsiphash' || name === 'sha-256'))(
  'a set of digests by %s',
  (digest) => {
    it('loses no URL and finds all, while it grows, in the planned memory', async () => {
      const seen = openSeenSet(allocateSeenSet(optionsOf(digest)), 0)
      const urls = numbered('in', 0, 16_000)
      expect(await seen.addIfNew(urls)).not.toContain(false)
      expect(await seen.addIfNew(urls)).not.toContain(true)
      expect(await seen.has(urls)).not.toContain(false)
      expect(await seen.has(numbered('out', 0, 5_000))).not.toContain(true)
      const { bytes, expectedLost } = seen.stats()
      expect(within(planSeenSet(optionsOf(digest), urls.length).bytes / bytes, 0.05)).toBe(true)
      expect(expectedLost).toBeLessThan(1e-6)
    })
  },
)

describe('a digest', () => {
  it.each([
    ['md5', 'md5'],
    ['sha-1', 'sha1'],
    ['sha-256', 'sha256'],
  ] as const)('by %s is that of the key and the URL', (name, algorithm) => {
    const expected = createHash(algorithm).update('1,2,http://a/é').digest()
    const { buffer } = urlDigester(name, [1, 2])('http://a/é')
    expect(Buffer.from(buffer).toString('hex')).toBe(expected.toString('hex'))
  })

  it.each(names)('by %s differs with the key', (name) => {
    const [one, other] = [urlDigester(name, [1, 2]), urlDigester(name, [1, 3])]
    expect([...one('http://a/')]).not.toEqual([...other('http://a/')])
  })
})
