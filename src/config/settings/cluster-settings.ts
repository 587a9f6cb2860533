import * as v from 'valibot'
import { EXPECTED_REDIS_URL, expectedRedisUrl, isRedisUrl } from '../../url/redis-url.ts'
import { UrlWithPassword } from '../../url/url-with-password.ts'
import { duration } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'

const NAME = 'a name of at most 64 letters, digits, dots, dashes and underscores'

/** Settings for processes that share a crawl. */
export const clusterSettings = {
  frontier: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--frontier <redis-url>',
      list: 'commas',
      help: 'share the queue with other processes over these Redis servers; only one process at a time crawls a host, and each process needs its own -o',
    },
    v.optional(
      v.array(
        v.pipe(
          v.string(EXPECTED_REDIS_URL),
          v.check(isRedisUrl, ({ input }) => expectedRedisUrl(input)),
          v.transform((url) => new UrlWithPassword(url)),
        ),
        'a list of URLs of Redis servers',
      ),
      [],
    ),
  ),
  job: setting(
    {
      trust: 'any',
      decides: 'run',
      flag: '--job <name>',
      help: 'with --frontier: name of the crawl, the same for all of its processes',
    },
    v.optional(v.pipe(v.string(NAME), v.regex(/^[\w.-]{1,64}$/, NAME))),
  ),
  lease: setting(
    {
      trust: 'any',
      decides: 'run',
      flag: '--lease <duration>',
      help: 'with --frontier: if a process dies, others take over its hosts within this time',
    },
    v.optional(duration(1_000), '30s'),
  ),
}
