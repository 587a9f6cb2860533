import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { CANONICAL_RULES } from '../url/canonical-rules.ts'
import {
  count,
  described,
  duration,
  flag,
  outputNames,
  proxy,
  regexSource,
  seed,
  size,
} from './fields.ts'
import { headerName, headerValue } from './headers.ts'
import { jobSettings } from './job-settings.ts'
import { linkSettings } from './link-settings.ts'
import { pageSettings } from './page-settings.ts'
import { SEEN_SETS } from './seen-sets.ts'
import { USER_AGENT } from './user-agent.ts'

const SCOPES = ['path', 'host', 'domain', 'any'] as const
const DIGESTS = ['halfsiphash', 'md5', 'sha-1', 'sha-256'] as const
const CONTENT_DEDUPS = ['exact', 'near'] as const
/** Forms of the visits. */
const FORMATS = ['jsonl', 'csv', 'sitemap', 'dot', 'graphml', 'sqlite', 'warc'] as const
export type Format = (typeof FORMATS)[number]
/** Ten years. */
const LONGEST_AGE_MS = 3_650 * 86_400_000
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const oneOf = <const T extends readonly string[]>(names: T) =>
  v.picklist(names, `one of ${names.join(', ')}`)
/** What follows --cookies is its file, also where a seed was meant. */
const isNoUrl = (text: string) => !/^https?:\/\//i.test(text)

/** Every setting of a crawl: what a config file may hold, and what flags override. */
export const configSchema = v.strictObject(
  {
    $schema: v.optional(v.string('a URL')),
    seeds: described(
      'URLs to start from; without a scheme https is tried, then http',
      v.optional(v.array(seed(), 'a list of URLs'), []),
    ),
    depth: described('links followed from a seed', v.optional(count(0, 1_000_000), 3)),
    ...pageSettings,
    output: described(
      'file for the visits, or a list of them; - is stdout',
      v.optional(outputNames(), '-'),
    ),
    format: described(
      'form of the visits; by default that of the extension, else jsonl',
      v.optional(oneOf(FORMATS)),
    ),
    skipped: described(
      'file for a line about each URL that was named and not fetched',
      v.optional(v.string('a file name')),
    ),
    saveBodies: described(
      'folder for the bodies, with links that lead from file to file',
      v.optional(v.pipe(v.string('a folder'), v.minLength(1, 'a folder'))),
    ),
    overwrite: described('replace an existing output file', flag()),
    state: described(
      'directory that the crawl is kept in; the same command later resumes it',
      v.optional(v.pipe(v.string('a directory'), v.minLength(1, 'a directory'))),
    ),
    revisitAfter: described(
      'age of a visit from which on a later run makes it again; with state only',
      v.optional(duration(0, LONGEST_AGE_MS)),
    ),
    ...jobSettings,
    force: described('resume although settings have changed that should not', flag()),
    workers: described(
      'fetch threads; by default one for each available core',
      v.optional(count(1, 256), () => availableParallelism()),
    ),
    concurrency: described('requests in flight per worker', v.optional(count(1, 10_000), 16)),
    perHost: described(
      'requests in flight per host, all workers together',
      v.optional(count(1, 10_000), 6),
    ),
    delay: described('pause between two requests to a host', v.optional(duration(), '0')),
    scope: described(
      'which discovered URLs belong to the crawl',
      v.optional(oneOf(SCOPES), 'host'),
    ),
    include: described(
      'regular expressions, one of which a URL must match',
      v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
    ),
    exclude: described(
      'regular expressions, none of which a URL may match',
      v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
    ),
    canonicalize: described(
      'rules that merge URLs which need not be the same page',
      v.optional(v.array(oneOf(CANONICAL_RULES), 'a list of rules'), []),
    ),
    ...linkSettings,
    traps: described('leave URL spaces without end once their pages show nothing new', flag(true)),
    contentDedup: described(
      'what makes two pages duplicates: the same body, or nearly the same text',
      v.optional(oneOf(CONTENT_DEDUPS)),
    ),
    followDuplicates: described('whether links of duplicates are followed', flag(true)),
    maxPages: described('visits after which the crawl ends', v.optional(count(1))),
    maxTime: described('time after which the crawl ends', v.optional(duration(1))),
    maxBody: described('bytes of a decoded body that are read', v.optional(size(2 ** 28), '10MiB')),
    timeout: described('time for one request, all of it', v.optional(duration(1), '30s')),
    connectTimeout: described(
      'time to look a name up, connect, and agree on TLS',
      v.optional(duration(1), '10s'),
    ),
    maxRedirects: described(
      'redirects in a row that are followed',
      v.optional(count(0, 1_000), 20),
    ),
    retries: described('further attempts after a passing failure', v.optional(count(0, 100), 2)),
    deterministic: described(
      'settle URLs in one order, so that two crawls of a site write the same',
      flag(),
    ),
    adaptive: described('let the pause follow the latency of each host', flag()),
    perIp: described('treat hosts at the same address as one', flag()),
    maxPerHost: described('pages that are asked of a host', v.optional(count(1))),
    maxHostErrors: described(
      'failures in a row after which a host is given up',
      v.optional(count(1), 20),
    ),
    ignoreRobots: described('do not ask for robots.txt', flag()),
    userAgent: described(
      'how the crawler names itself; by default with version and address',
      v.optional(v.pipe(headerValue, v.regex(/[A-Za-z_-]/, 'a name')), () => USER_AGENT),
    ),
    headers: described(
      "further request headers, sent to the seeds' origins only",
      v.optional(v.record(headerName, headerValue, 'an object of header names and values'), {}),
    ),
    insecure: described('accept any TLS certificate', flag()),
    cookies: described(
      'keep cookies and send them back; a name is that of a Netscape cookie file, read and written',
      v.optional(
        v.union(
          [
            v.boolean(),
            v.pipe(v.string(), v.minLength(1, 'a file name'), v.check(isNoUrl, 'a file name')),
          ],
          'true, false or a file name',
        ),
        false,
      ),
    ),
    proxy: described('URL of a proxy that all requests go through', v.optional(proxy())),
    allowPrivate: described(
      'let sites lead to private addresses; without it only private seeds themselves are open',
      flag(),
    ),
    seen: described('the seen set', v.optional(oneOf(SEEN_SETS), 'bloom-growing')),
    expectedUrls: described(
      'URLs that the seen set is sized for; one that grows begins with so many',
      v.optional(count(1), 1_000_000),
    ),
    falsePositiveRate: described(
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
    digest: described(
      'what the seen set `digest` keeps of a URL',
      v.optional(oneOf(DIGESTS), 'halfsiphash'),
    ),
    forgetAfter: described(
      'time after which the seen set `bloom-aging` forgets a URL that was not met again',
      v.optional(duration(10), '7d'),
    ),
    logLevel: described('least important log line shown', v.optional(oneOf(LOG_LEVELS), 'info')),
    progress: described('show the crawl as it goes, at a terminal', flag(true)),
    logInterval: described('time between two progress lines', v.optional(duration(10), '5s')),
  },
  'an object of settings',
)

/** What is meant: units resolved, defaults filled in; times in milliseconds, sizes in bytes. */
export type Config = Omit<v.InferOutput<typeof configSchema>, '$schema'>

/** What a config file or the flags may say. */
export type ConfigInput = v.InferInput<typeof configSchema>
