import { settingLabel } from '../../config/describe-config-errors.ts'
import { type Config, defaultOf, isSettingName, type SettingName } from '../../config/schema.ts'
import { CrawlerError } from '../../errors.ts'
import { formatOf, showsData } from '../../formats/choose-format.ts'

/** The flags that another flag needs to have an effect. */
interface Companion {
  readonly flags: string
  isIn(config: Config): boolean
}

const RENDER: Companion = {
  flags: '--render auto or --render always',
  isIn: ({ render }) => render !== 'never',
}

/** An output, or the database of `--state`, that stores the data which a setting adds to records. */
const RECORDS: Companion = {
  flags: 'an output that shows it, such as -o visits.jsonl,',
  isIn: (config) => config.state !== undefined || showsData(config),
}

const WARC: Companion = {
  flags: 'a WARC file as output, such as -o site.warc.gz,',
  isIn: (config) => config.output.some((name) => formatOf(name, config) === 'warc'),
}

/** Seen sets that miss no URL, whatever the rate. */
const EXACT: ReadonlySet<Config['seen']> = new Set(['exact', 'sqlite', 'redis-set', 'redis-keys'])

const COMPANIONS: Readonly<Partial<Record<SettingName, Companion>>> = {
  assets: {
    flags: '--external-assets, or another --scope than page,',
    // With --external, as in crawl check, assets outside the scope are checked.
    isIn: ({ scope, externalAssets, external }) => scope !== 'page' || externalAssets || external,
  },
  browser: RENDER,
  extract: RECORDS,
  text: RECORDS,
  markdown: RECORDS,
  responseHeaders: RECORDS,
  hash: RECORDS,
  content: {
    flags: '--text, --markdown or --content-dedup near',
    isIn: ({ text, markdown, contentDedup }) => text || markdown || contentDedup === 'near',
  },
  digest: { flags: '--seen digest', isIn: ({ seen }) => seen === 'digest' },
  falsePositiveRate: {
    flags: 'a --seen that may miss URLs, such as bloom-growing,',
    isIn: ({ seen }) => !EXACT.has(seen),
  },
  followDuplicates: {
    flags: '--content-dedup',
    isIn: ({ contentDedup }) => contentDedup !== undefined,
  },
  externalAssets: { flags: '--assets', isIn: ({ assets }) => assets },
  force: { flags: '--state', isIn: ({ state }) => state !== undefined },
  forgetAfter: {
    flags: '--seen bloom-aging or --seen redis-keys',
    isIn: ({ seen }) => seen === 'bloom-aging' || seen === 'redis-keys',
  },
  lease: { flags: '--frontier', isIn: ({ frontier }) => frontier.length > 0 },
  minRateTime: { flags: '--min-rate', isIn: ({ minRate }) => minRate !== undefined },
  passphraseFile: { flags: '--cert', isIn: ({ cert }) => cert !== undefined },
  renderTimeout: RENDER,
  saveOnly: { flags: '--save-bodies', isIn: ({ saveBodies }) => saveBodies !== undefined },
  screenshots: RENDER,
  sitemapSince: { flags: '--sitemaps', isIn: ({ sitemaps }) => sitemaps },
  splitWarc: WARC,
  warcDedup: WARC,
  retryStatus: {
    flags: '--retries of at least 1, or --state with --retry-failed,',
    isIn: ({ retries, state }) => retries > 0 || state !== undefined,
  },
}

/**
 * Refuses flags that have no effect without another flag, which the user has probably forgotten.
 * @param typed names of the settings on the command line; settings from files are not checked, as they may be for
 * several crawls
 * @throws CrawlerError('usage') with a line for each refused flag
 */
export function checkCompanions(typed: Iterable<string>, config: Config): void {
  const lines = [...typed].filter(isSettingName).flatMap((name) => {
    const companion = COMPANIONS[name]
    const isOff = typeof config[name] === 'boolean' && config[name] === defaultOf(name)
    if (companion === undefined || isOff || companion.isIn(config)) return []
    return [`${settingLabel(name)}: expected ${companion.flags} with it`]
  })
  if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
}
