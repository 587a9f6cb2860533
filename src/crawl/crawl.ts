import { isSharedSeen } from '../cluster/shared-seen-options.ts'
import { withSettingNames } from '../config/describe-config-errors.ts'
import { resolveConfig } from '../config/resolve-config.ts'
import { COMMAND_SETTINGS, type Config } from '../config/schema.ts'
import { kindOfJson } from '../english-text.ts'
import { CrawlerError } from '../errors.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { VisitIterator } from '../output/visit-iterator.ts'
import type { Visit } from '../records/visit.ts'
import type { LibrarySettings } from './library-settings.ts'
import { type RunningCrawl, startCrawl } from './start-crawl.ts'
import type { Stats, Summary } from './stats/stats.ts'

/** Settings of a crawl as in a config file, and objects that a file can't contain. */
export interface CrawlOptions extends LibrarySettings {
  /** Signal that ends the crawl. The loop still gets the visits in flight, then it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Receives log lines. Without it, nothing is logged. */
  readonly logger?: Logger | undefined
}

/** A crawl. Its visits can be iterated over once. Leaving the loop ends the crawl. */
export interface Crawl extends AsyncIterable<Visit> {
  /** Resolves at the end of the crawl; rejects with a CrawlerError when it fails. */
  readonly finished: Promise<Summary>
  /** Ends the crawl: no further request is sent, and those in flight are awaited for up to 7 s. */
  stop(): void
  /** Returns the current statistics. */
  stats(): Stats
}

/** A crawl that a program runs through the library. */
class LibraryCrawl implements Crawl {
  readonly finished: Promise<Summary>
  readonly #visits = new VisitIterator()
  readonly #running: RunningCrawl
  readonly #signal: AbortSignal | undefined

  constructor(config: Config, signal: AbortSignal | undefined, logger: Logger) {
    this.#signal = signal
    this.#running = startCrawl(config, { visits: this.#visits }, logger)
    this.finished = this.#running.finished.catch((error) => {
      throw forLibrary(error)
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

  [Symbol.asyncIterator](): AsyncGenerator<Visit, void> {
    const visits = this.#read()
    const leave = visits.return.bind(visits)
    const fail = visits.throw.bind(visits)
    // A generator that hasn't begun, or that waits for a visit, would not pass these on.
    visits.return = async (value) => {
      await this.#visits.return()
      return leave(value)
    }
    visits.throw = async (error) => {
      await this.#visits.return()
      return fail(error)
    }
    return visits
  }

  async *#read(): AsyncGenerator<Visit, void> {
    for await (const visit of this.#visits) yield visit // `yield*` would need a `throw` of these visits
    const { reason } = await this.finished
    if (reason === 'stopped') this.#signal?.throwIfAborted()
  }
}

/**
 * Crawls from the seeds: `for await (const visit of crawl({ seeds: ['https://example.com'] }))`.
 * @throws CrawlerError('usage') naming every problem of the settings
 */
export function crawl(options: CrawlOptions): Crawl {
  const { signal, logger = silentLogger(), ...input } = objectOf(options)
  refuseCommandSettings(input)
  refuseOtherObjects(signal, logger)
  try {
    const config = resolveConfig(input)
    if (config.seeds.length === 0) throw new CrawlerError('usage', NO_SEEDS)
    if (isSharedSeen(config.seen)) throw new CrawlerError('usage', sharedSeenError(config.seen))
    signal?.throwIfAborted()
    return new LibraryCrawl(config, signal, logger)
  } catch (error) {
    throw forLibrary(error)
  }
}

/** @throws CrawlerError('usage') for a list or a string, whose elements or characters would be unknown settings */
function objectOf(options: CrawlOptions | undefined): CrawlOptions {
  const given = options ?? {}
  if (typeof given === 'object' && !Array.isArray(given)) return given
  const example = "{ seeds: ['https://example.com/'] }"
  const got = kindOfJson(given)
  throw new CrawlerError('usage', `settings: expected an object such as ${example}, got ${got}`)
}

/** @throws CrawlerError('usage') if the signal or the logger is another object, which would fail during the crawl */
function refuseOtherObjects(signal: AbortSignal | undefined, logger: Logger | null): void {
  if (typeof logger?.isLevelEnabled !== 'function') {
    throw new CrawlerError('usage', 'logger: expected a pino logger, such as one from createLogger')
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new CrawlerError('usage', 'signal: expected an AbortSignal')
  }
}

const NO_SEEDS = 'seeds: expected at least one URL, got none'

function sharedSeenError(name: string): string {
  return `seen: expected the seen set of one process, got \`${name}\`, which is for the command with --frontier`
}

/** @throws CrawlerError('usage') with a line for each setting that would be ignored */
function refuseCommandSettings(input: object): void {
  const lines = Object.entries(input)
    .filter(([name, value]) => value !== undefined && COMMAND_SETTINGS.has(name))
    .map(([name]) => `${name}: expected to be absent: it is for the command, not for the library`)
  if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
}

/** Returns an error for the library: its message names settings instead of the command's flags. */
function forLibrary(error: unknown): unknown {
  if (!(error instanceof CrawlerError)) return error
  return new CrawlerError(error.kind, withSettingNames(error.message), error)
}
