import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { headerName, secretValue } from '../header-schemas.ts'
import { count, duration, size } from '../quantity-schemas.ts'
import { record } from '../record-schema.ts'
import { setting } from '../setting.ts'
import { retryStatuses } from '../value-schemas.ts'

const run = { trust: 'any', decides: 'run' } as const

/** Settings of requests. A later run, or another machine, may need other values. */
export const fetchSettings = {
  workers: setting(
    {
      ...run,
      flag: '-w, --workers <n>',
      otherNames: ['--threads', '--jobs', '--max-threads'],
      defaultText: 'available cores',
      help: 'maximum fetch threads; they start when there is work',
    },
    v.optional(count(1, 256), () => availableParallelism()),
  ),
  concurrency: setting(
    {
      ...run,
      flag: '-c, --concurrency <n>',
      otherNames: ['--concurrent', '--parallelism', '--parallel', '--max-concurrency'],
      worker: true,
      defaultText: '16, or more if --per-host is larger',
      help: 'requests in flight per worker',
    },
    v.optional(count(1, 10_000)),
  ),
  timeout: setting(
    { ...run, flag: '--timeout <duration>', worker: true, help: 'time limit for one request' },
    v.optional(duration(1), '30s'),
  ),
  connectTimeout: setting(
    {
      ...run,
      flag: '--connect-timeout <duration>',
      worker: true,
      help: 'time limit for name lookup, connecting and TLS',
    },
    v.optional(duration(1), '10s'),
  ),
  minRate: setting(
    {
      ...run,
      flag: '--min-rate <size>',
      worker: true,
      help: 'bytes per second below which a body times out',
    },
    v.optional(size(2 ** 30)),
  ),
  minRateTime: setting(
    {
      ...run,
      flag: '--min-rate-time <duration>',
      worker: true,
      help: 'time over which --min-rate is measured',
    },
    v.optional(duration(1), '10s'),
  ),
  retries: setting(
    {
      ...run,
      flag: '--retries <n>',
      otherNames: ['--retry', '--tries', '--max-retries'],
      worker: true,
      help: 'further attempts after a transient failure',
    },
    v.optional(count(0, 100), 2),
  ),
  retryStatus: setting(
    {
      ...run,
      flag: '--retry-status <codes>',
      list: 'commas',
      worker: true,
      otherNames: ['--retry-on-http-error', '--retry-all-errors', '--retry-codes', '--retry-on'],
      help: 'also retry these statuses, such as 403 or 5xx; 408, 429, 500, 502, 503 and 504 are always retried',
    },
    v.optional(retryStatuses(), []),
  ),
  maxRedirects: setting(
    {
      ...run,
      flag: '--max-redirects <n>',
      worker: true,
      help: 'maximum redirects in a row',
    },
    v.optional(count(0, 1_000), 20),
  ),
  maxBody: setting(
    {
      ...run,
      flag: '--max-body <size>',
      otherNames: ['--max-response-size', '--max-response-body-size', '--max-filesize'],
      worker: true,
      help: 'read at most this many bytes of a decoded body',
    },
    v.optional(size(2 ** 28), '10MiB'),
  ),
  headers: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '-H, --header <name: value>',
      separator: ':',
      isSecret: true,
      help: "add request headers, sent only to the seeds' origins",
    },
    v.optional(record(headerName, secretValue, 'an object of header names and values'), {}),
  ),
}
