import { withSettingNames } from '../config/describe-config-errors.ts'
import { resolveConfig } from '../config/resolve-config.ts'
import { type Config, type ConfigInput, settingsIn } from '../config/schema.ts'
import type { clusterSettings } from '../config/settings/cluster-settings.ts'
import type { outputSettings } from '../config/settings/output-settings.ts'
import { CrawlerError } from '../errors.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { VisitIterator } from '../output/visit-iterator.ts'
import type { Visit } from '../records/visit.ts'
import { type RunningCrawl, startCrawl } from './start-crawl.ts'
import type { Stats, Summary } from './stats/stats.ts'

/** Settings that only the command has: it writes files, keeps crawls and shares them. */
type CommandSetting = keyof typeof outputSettings | keyof typeof clusterSettings | 'metrics'
const COMMAND_SETTINGS: ReadonlySet<string> = new Set([
  ...settingsIn('Output'),
  ...settingsIn('Cluster'),
  'metrics',
])

/** Settings of a crawl as in a config file, and what a file can't have. */
export interface CrawlOptions extends Omit<ConfigInput, CommandSetting> {
  /** Ends the crawl: the loop still gets the visits in flight, then it throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Takes log lines; nothing is logged without it. */
  readonly logger?: Logger
}

/** A crawl whose visits are iterated over, once; leaving the loop ends it. */
export interface Crawl extends AsyncIterable<Visit> {
  /** Resolves at the end of the crawl; rejects with a CrawlerError when it fails. */
  readonly finished: Promise<Summary>
  /** Lets requests in flight end, and starts none. */
  stop(): void
  /** Returns the statistics of this moment. */
  stats(): Stats
}

class CrawlOfProgram implements Crawl {
  readonly finished: Promise<Summary>
  readonly #visits = new VisitIterator()
  readonly #running: RunningCrawl
  readonly #signal: AbortSignal | undefined

  constructor(config: Config, signal: AbortSignal | undefined, logger: Logger) {
    this.#signal = signal
    this.#running = startCrawl(config, { visits: this.#visits }, logger)
    this.finished = this.#running.finished.catch((error) => {
      throw forProgram(error)
    })
    const stop = () => this.stop()
    signal?.addEventListener('abort', stop)
    const release = () => signal?.removeEventListener('abort', stop)
    this.finished.then(release, release) // a failure is reported to the loop, and by `finished`
  }

  stop(): void {
    this.#running.stop()
  }

  stats(): Stats {
    return this.#running.stats()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Visit, void> {
    yield* this.#visits
    const { reason } = await this.finished
    if (reason === 'stopped') this.#signal?.throwIfAborted()
  }
}

/**
 * Crawls from the seeds: `for await (const visit of crawl({ seeds: ['https://example.com'] }))`.
 * @throws CrawlerError('usage') naming every problem of the settings
 */
export function crawl(options: CrawlOptions): Crawl {
  const { signal, logger = silentLogger(), ...input } = options ?? {}
  refuseCommandSettings(input)
  refuseOtherObjects(signal, logger)
  try {
    const config = resolveConfig(input)
    if (config.seeds.length === 0) throw new CrawlerError('usage', NO_SEEDS)
    signal?.throwIfAborted()
    return new CrawlOfProgram(config, signal, logger)
  } catch (error) {
    throw forProgram(error)
  }
}

/** @throws CrawlerError('usage') for what is no signal or logger: it would fail in the middle of the crawl */
function refuseOtherObjects(signal: AbortSignal | undefined, logger: Logger): void {
  if (typeof logger.isLevelEnabled !== 'function') {
    throw new CrawlerError('usage', 'logger: expected a pino logger, such as one from createLogger')
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new CrawlerError('usage', 'signal: expected an AbortSignal')
  }
}

const NO_SEEDS = 'seeds: expected at least one URL, got none'

/** @throws CrawlerError('usage') with a line for each setting that would be ignored */
function refuseCommandSettings(input: object): void {
  const lines = Object.entries(input)
    .filter(([name, value]) => value !== undefined && COMMAND_SETTINGS.has(name))
    .map(([name]) => `${name}: expected to be absent: it is for the command, not for the library`)
  if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
}

/** Returns an error that names settings, where one that is meant for the command names flags. */
function forProgram(error: unknown): unknown {
  if (!(error instanceof CrawlerError)) return error
  const { kind, message, cause } = error
  return new CrawlerError(kind, withSettingNames(message), { cause })
}
