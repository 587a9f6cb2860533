import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { CANONICAL_RULES } from '../url/canonical-rules.ts'
import {
  count,
  duration,
  fileName,
  flag,
  oneOf,
  outputNames,
  regexSource,
  seed,
  setting,
  size,
  type Trust,
} from './fields.ts'
import { jobSettings } from './job-settings.ts'
import { linkSettings } from './link-settings.ts'
import { pageSettings } from './page-settings.ts'
import { politenessSettings } from './politeness-settings.ts'
import { requestSettings } from './request-settings.ts'
import { seenSettings } from './seen-settings.ts'

const SCOPES = ['path', 'host', 'domain', 'any'] as const
const CONTENT_DEDUPS = ['exact', 'near'] as const
/** Forms of the visits. */
const FORMATS = ['jsonl', 'csv', 'sitemap', 'dot', 'graphml', 'sqlite', 'warc'] as const
export type Format = (typeof FORMATS)[number]
/** Ten years. */
const LONGEST_AGE_MS = 3_650 * 86_400_000
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every setting of a crawl, with who may decide it. */
const settings = {
  seeds: setting(
    'any',
    'URLs to start from; without a scheme https is tried, then http',
    v.optional(v.array(seed(), 'a list of URLs'), []),
  ),
  depth: setting('any', 'links followed from a seed', v.optional(count(0, 1_000_000), 3)),
  ...pageSettings,
  output: setting(
    'inside',
    'file for the visits, or a list of them; - is stdout',
    v.optional(outputNames(), '-'),
  ),
  format: setting(
    'any',
    'form of the visits; by default that of the extension; jsonl without one',
    v.optional(oneOf(FORMATS)),
  ),
  skipped: setting(
    'inside',
    'file for a line about each URL that was named and not fetched',
    v.optional(fileName('a file name')),
  ),
  saveBodies: setting(
    'inside',
    'folder for the bodies, with links that lead from file to file',
    v.optional(fileName('a folder')),
  ),
  overwrite: setting('given', 'replace an existing output file', flag()),
  state: setting(
    'inside',
    'directory that the crawl is kept in; the same command later resumes it',
    v.optional(fileName('a directory')),
  ),
  revisitAfter: setting(
    'any',
    'age of a visit from which on a later run makes it again; with state only',
    v.optional(duration(0, LONGEST_AGE_MS)),
  ),
  retryFailed: setting(
    'any',
    'visit again what failed for a reason that may have passed; with state only',
    flag(),
  ),
  ...jobSettings,
  force: setting('given', 'resume with other settings than the crawl began with', flag()),
  workers: setting(
    'any',
    'fetch threads; by default one for each available core',
    v.optional(count(1, 256), () => availableParallelism()),
  ),
  concurrency: setting('any', 'requests in flight per worker', v.optional(count(1, 10_000), 16)),
  perHost: setting(
    'any',
    'requests in flight per host, all workers together',
    v.optional(count(1, 10_000), 6),
  ),
  delay: setting('any', 'pause between two requests to a host', v.optional(duration(), '0')),
  scope: setting(
    'any',
    'which discovered URLs belong to the crawl',
    v.optional(oneOf(SCOPES), 'host'),
  ),
  include: setting(
    'any',
    'regular expressions, one of which a URL must match',
    v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
  ),
  exclude: setting(
    'any',
    'regular expressions, none of which a URL may match',
    v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
  ),
  canonicalize: setting(
    'any',
    'rules that merge URLs which need not be the same page',
    v.optional(v.array(oneOf(CANONICAL_RULES), 'a list of rules'), []),
  ),
  ...linkSettings,
  traps: setting(
    'any',
    'leave URL spaces without end once their pages show nothing new',
    flag(true),
  ),
  contentDedup: setting(
    'any',
    'what makes two pages duplicates: the same body, or nearly the same text',
    v.optional(oneOf(CONTENT_DEDUPS)),
  ),
  followDuplicates: setting('any', 'whether links of duplicates are followed', flag(true)),
  maxPages: setting('any', 'visits after which the crawl ends', v.optional(count(1))),
  maxTime: setting('any', 'time after which the crawl ends', v.optional(duration(1))),
  maxBody: setting(
    'any',
    'bytes of a decoded body that are read',
    v.optional(size(2 ** 28), '10MiB'),
  ),
  timeout: setting('any', 'time for one request, all of it', v.optional(duration(1), '30s')),
  connectTimeout: setting(
    'any',
    'time to look a name up, connect, and agree on TLS',
    v.optional(duration(1), '10s'),
  ),
  minRate: setting(
    'any',
    'bytes a second that a body has to come with; a slower one is a time-out',
    v.optional(size(2 ** 30)),
  ),
  minRateTime: setting(
    'any',
    'time over which minRate is looked at',
    v.optional(duration(1), '10s'),
  ),
  maxRedirects: setting(
    'any',
    'redirects in a row that are followed',
    v.optional(count(0, 1_000), 20),
  ),
  retries: setting('any', 'further attempts after a passing failure', v.optional(count(0, 100), 2)),
  deterministic: setting(
    'any',
    'settle URLs in one order, so that two crawls of a site write the same',
    flag(),
  ),
  adaptive: setting('any', 'let the pause follow the latency of each host', flag()),
  perIp: setting('any', 'treat hosts at the same address as one', flag()),
  maxPerHost: setting('any', 'pages that are asked of a host', v.optional(count(1))),
  maxHostErrors: setting(
    'any',
    'failures in a row after which a host is given up',
    v.optional(count(1), 20),
  ),
  ...politenessSettings,
  ignoreRobots: setting('any', 'do not ask for robots.txt', flag()),
  ...requestSettings,
  ...seenSettings,
  logLevel: setting('any', 'least important log line shown', v.optional(oneOf(LOG_LEVELS), 'info')),
  progress: setting('any', 'show the crawl as it goes, at a terminal', flag(true)),
  logInterval: setting('any', 'time between two progress lines', v.optional(duration(10), '5s')),
} satisfies Readonly<Record<string, { readonly trust: Trust }>>

/** What a config file may hold, and what flags override. */
export const configSchema = v.strictObject(
  { $schema: v.optional(v.string('a URL')), ...settings },
  'an object of settings',
)

/** Returns how far a setting is trusted that the user did not give. */
export function trustOf(name: keyof Config): Trust {
  return settings[name].trust
}

/** What is meant: units resolved, defaults filled in; times in milliseconds, sizes in bytes. */
export type Config = Omit<v.InferOutput<typeof configSchema>, '$schema'>

/** What a config file or the flags may say. */
export type ConfigInput = v.InferInput<typeof configSchema>
