import * as v from 'valibot'
import { LoginUrl } from '../url/login-url.ts'
import { isRedisUrl, REDIS_URL } from '../url/redis-url.ts'
import { count, duration, setting } from './fields.ts'

const NAME = 'a name of letters, digits, dots, dashes and underscores'

/** How a crawl is shared with other processes, and watched by them. */
export const jobSettings = {
  frontier: setting(
    'given',
    'URLs of the Redis servers that hold the queue of a job, which many processes share',
    v.optional(
      v.array(
        v.pipe(
          v.string(REDIS_URL),
          v.check(isRedisUrl, REDIS_URL),
          v.transform((url) => new LoginUrl(url)),
        ),
        'a list of URLs of Redis servers',
      ),
      [],
    ),
  ),
  job: setting(
    'any',
    'name of the job; with frontier only',
    v.optional(v.pipe(v.string(NAME), v.regex(/^[\w.-]{1,64}$/, NAME))),
  ),
  lease: setting(
    'any',
    'time after which what a process of a job held goes to others, if it is not heard of',
    v.optional(duration(1_000), '30s'),
  ),
  metrics: setting(
    'any',
    'port of 127.0.0.1 at which Prometheus may ask how the crawl stands',
    v.optional(count(1, 65_535)),
  ),
}
