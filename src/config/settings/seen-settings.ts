import * as v from 'valibot'
import { DEFAULT_EXPECTED_URLS, DIGEST_NAMES, SEEN_SET_NAMES } from '../../seen/seen-set.ts'
import { count, duration } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { oneOf } from '../value-schemas.ts'

/** Seen sets that the processes of a job share: docs/redis.md compares them. */
export const SHARED_SEEN_NAMES = ['redis-bloom', 'redis-set', 'redis-keys'] as const
const SEEN_SETS = [...SEEN_SET_NAMES, ...SHARED_SEEN_NAMES] as const

const seen = { trust: 'any', decides: 'seen' } as const

/** Settings of the seen set. */
export const seenSettings = {
  seen: setting(
    { ...seen, flag: '--seen <name>', help: 'how to remember known URLs' },
    v.optional(oneOf(SEEN_SETS), 'bloom-growing'),
  ),
  expectedUrls: setting(
    {
      ...seen,
      flag: '--expected-urls <n>',
      help: 'number of URLs that the seen set is sized for, at first if it grows',
    },
    v.optional(count(1), DEFAULT_EXPECTED_URLS),
  ),
  falsePositiveRate: setting(
    {
      ...seen,
      flag: '--false-positive-rate <p>',
      help: 'share of new URLs that a full Bloom filter may miss',
    },
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
    { ...seen, flag: '--digest <name>', help: 'hash that --seen digest stores for each URL' },
    v.optional(oneOf(DIGEST_NAMES), 'halfsiphash'),
  ),
  forgetAfter: setting(
    {
      ...seen,
      flag: '--forget-after <duration>',
      help: 'time after which --seen bloom-aging or redis-keys forgets a URL',
    },
    v.optional(duration(10), '7d'),
  ),
}
