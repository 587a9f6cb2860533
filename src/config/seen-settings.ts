import * as v from 'valibot'
import { count, duration, oneOf, setting } from './fields.ts'
import { SEEN_SETS } from './seen-sets.ts'

const DIGESTS = ['halfsiphash', 'md5', 'sha-1', 'sha-256'] as const

/** How URLs are remembered. */
export const seenSettings = {
  seen: setting('any', 'the seen set', v.optional(oneOf(SEEN_SETS), 'bloom-growing')),
  expectedUrls: setting(
    'any',
    'URLs that the seen set is sized for; one that grows begins with so many',
    v.optional(count(1), 1_000_000),
  ),
  falsePositiveRate: setting(
    'any',
    'share of new URLs that a Bloom filter may lose when it is full',
    v.optional(
      v.pipe(
        v.number('a number between 0 and 1'),
        v.gtValue(0, 'a number between 0 and 1'),
        v.ltValue(1, 'a number between 0 and 1'),
      ),
      0.001,
    ),
  ),
  digest: setting(
    'any',
    'what the seen set `digest` keeps of a URL',
    v.optional(oneOf(DIGESTS), 'halfsiphash'),
  ),
  forgetAfter: setting(
    'any',
    'time after which the seen set `bloom-aging` forgets a URL that was not met again',
    v.optional(duration(10), '7d'),
  ),
}
