import * as v from 'valibot'
import { count, countOr, duration } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { flag, oneOf, pathGlob, regexSource, seed } from '../value-schemas.ts'
import { linkSettings } from './link-settings.ts'

/** Scopes, from narrow to wide. */
export const SCOPES = ['page', 'path', 'host', 'domain', 'any'] as const
const CONTENT_DEDUPS = ['exact', 'near'] as const

/** A depth that no path of links through a site reaches. */
export const UNLIMITED_DEPTH = 1_000_000

const DEPTH_WORDS = { unlimited: UNLIMITED_DEPTH }

const urls = { trust: 'any', decides: 'urls' } as const
const records = { trust: 'any', decides: 'records' } as const
const limit = { trust: 'any', decides: 'run' } as const

/** Settings that select the URLs of a crawl. */
export const crawlSettings = {
  seeds: setting(
    {
      ...urls,
      otherNames: ['--url', '--urls', '--start-url', '--start-urls'],
      help: 'URLs to start from; without a scheme https is tried, then http',
    },
    v.optional(v.array(seed(), 'a list of URLs'), []),
  ),
  depth: setting(
    {
      ...urls,
      flag: '-d, --depth <n>',
      otherNames: [
        '--depth-limit',
        '--link-depth',
        '--max-depth',
        '--level',
        '--levels',
        '--crawl-depth',
        '--recursion-level',
      ],
      words: DEPTH_WORDS,
      worker: true,
      help: 'links to follow from a seed; redirects, assets and sitemaps do not count',
    },
    v.optional(countOr(DEPTH_WORDS, 0, UNLIMITED_DEPTH), 3),
  ),
  scope: setting(
    {
      ...urls,
      flag: '--scope <name>',
      otherNames: [
        '--field-scope',
        '--crawl-scope',
        '--scope-type',
        '--span-hosts',
        '--domains',
        '--allowed-domains',
        '--same-host',
        '--same-domain',
      ],
      help: 'how far to crawl; page: only the seeds',
    },
    v.optional(oneOf(SCOPES), 'host'),
  ),
  include: setting(
    {
      ...urls,
      flag: '--include <regex>',
      otherNames: [
        '--match-regex',
        '-mr',
        '--accept-regex',
        '--allow',
        '--match',
        '--include-regex',
      ],
      list: 'repeated',
      help: 'crawl only URLs that match one of these regular expressions anywhere',
    },
    v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
  ),
  exclude: setting(
    {
      ...urls,
      flag: '--exclude <regex>',
      otherNames: [
        '--filter-regex',
        '--reject',
        '--reject-regex',
        '--ignore',
        '--deny',
        '--skip',
        '--exclude-regex',
        '--ignore-regex',
        '--ignore-url',
        '--ignore-urls',
        '--no-follow-url',
      ],
      list: 'repeated',
      help: 'do not crawl URLs that match one of these regular expressions anywhere',
    },
    v.optional(v.array(regexSource(), 'a list of regular expressions'), []),
  ),
  includePath: setting(
    {
      ...urls,
      flag: '--include-path <path>',
      otherNames: [
        '--extension-match',
        '-em',
        '--include-directories',
        '--include-directory',
        '--include-dir',
        '--include-folder',
        '--allow-path',
        '--only-path',
      ],
      list: 'repeated',
      help: 'crawl only these paths and everything below them, such as /docs; * stands for any text',
    },
    v.optional(v.array(pathGlob(), 'a list of paths'), []),
  ),
  excludePath: setting(
    {
      ...urls,
      flag: '--exclude-path <path>',
      otherNames: [
        '--extension-filter',
        '-ef',
        '--exclude-directories',
        '--exclude-directory',
        '--exclude-dir',
        '--exclude-folder',
        '--reject-path',
        '--ignore-path',
        '--skip-path',
        '--deny-path',
        '--disallow',
      ],
      list: 'repeated',
      help: "do not crawl these paths and everything below them, such as '*.pdf' or /private (not /private-sale); * stands for any text",
    },
    v.optional(v.array(pathGlob(), 'a list of paths'), []),
  ),
  ...linkSettings,
  traps: setting(
    {
      ...urls,
      flag: '--no-traps',
      flagHelp: 'turn off trap detection (endless calendars and the like)',
      worker: true,
      help: 'leave endless URL spaces once their pages show nothing new',
    },
    flag(true),
  ),
  contentDedup: setting(
    {
      ...records,
      flag: '--content-dedup <name>',
      worker: true,
      help: 'flag duplicate pages: same body, or nearly the same text',
    },
    v.optional(oneOf(CONTENT_DEDUPS)),
  ),
  followDuplicates: setting(
    {
      ...records,
      flag: '--no-follow-duplicates',
      flagHelp: 'do not follow the links of duplicate pages',
      help: 'follow the links of duplicate pages',
    },
    flag(true),
  ),
  deterministic: setting(
    {
      ...records,
      flag: '--deterministic',
      worker: true,
      help: 'visit URLs in a fixed order, so that two crawls of a site write the same output',
    },
    flag(),
  ),
  maxPages: setting(
    {
      ...limit,
      flag: '--max-pages <n>',
      otherNames: [
        '--limit',
        '--max-urls',
        '--max-requests',
        '--page-limit',
        '--limit-pages',
        '--max-visited-urls',
      ],
      help: 'stop after this many visits, including redirects, assets and failures; each process of a job counts its own',
    },
    v.optional(count(1)),
  ),
  maxTime: setting(
    {
      ...limit,
      flag: '--max-time <duration>',
      otherNames: ['--crawl-duration', '--time-limit', '--max-duration'],
      help: 'start no request after this time, such as 90s or 2h; those in flight have up to 7 s more',
    },
    v.optional(duration(1)),
  ),
}
