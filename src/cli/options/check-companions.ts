import { settingLabel } from '../../config/describe-config-errors.ts'
import { type Config, isSettingName, type SettingName } from '../../config/schema.ts'
import { CrawlerError } from '../../errors.ts'

/** The flags that another one has no effect without. */
interface Companion {
  readonly flags: string
  isIn(config: Config): boolean
}

const RENDER: Companion = {
  flags: '--render auto or --render always',
  isIn: ({ render }) => render !== 'never',
}

const COMPANIONS: Readonly<Partial<Record<SettingName, Companion>>> = {
  browser: RENDER,
  digest: { flags: '--seen digest', isIn: ({ seen }) => seen === 'digest' },
  followDuplicates: {
    flags: '--content-dedup',
    isIn: ({ contentDedup }) => contentDedup !== undefined,
  },
  force: { flags: '--state', isIn: ({ state }) => state !== undefined },
  forgetAfter: {
    flags: '--seen bloom-aging or --seen redis-keys',
    isIn: ({ seen }) => seen === 'bloom-aging' || seen === 'redis-keys',
  },
  lease: { flags: '--frontier', isIn: ({ frontier }) => frontier.length > 0 },
  minRateTime: { flags: '--min-rate', isIn: ({ minRate }) => minRate !== undefined },
  passphraseFile: { flags: '--cert', isIn: ({ cert }) => cert !== undefined },
  renderTimeout: RENDER,
}

/**
 * Refuses flags that have no effect without another one: it was probably forgotten.
 * @param typed names of the settings on the command line; other sources may have settings for several crawls
 * @throws CrawlerError('usage') with a line for each such flag
 */
export function checkCompanions(typed: Iterable<string>, config: Config): void {
  const lines = [...typed].filter(isSettingName).flatMap((name) => {
    const companion = COMPANIONS[name]
    if (companion === undefined || companion.isIn(config)) return []
    return [`${settingLabel(name)}: expected ${companion.flags} beside it`]
  })
  if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
}
