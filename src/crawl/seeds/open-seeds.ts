import type { Config } from '../../config/schema.ts'
import type { Logger } from '../../logger.ts'
import { SeedHostStore } from '../../state/seed-host-store.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import { parseSeed } from '../../url/seed.ts'
import { CrawlScope } from './crawl-scope.ts'
import { ScopeHints } from './scope-hints.ts'
import { SeedTracker } from './seed-tracker.ts'

interface SeedSources {
  readonly config: Config
  /** Set for a crawl that is kept. */
  readonly directory: StateDirectory | undefined
  readonly logger: Logger
}

/**
 * Opens the parts of a crawl that are made from its seeds.
 * @throws CrawlerError('usage') for an invalid seed
 */
export function openSeeds({ config, directory, logger }: SeedSources) {
  const parsed = config.seeds.map((seed) => parseSeed(seed.reveal()))
  const seeds = new SeedTracker(parsed, config.seedsMayBePrivate)
  const seedHostStore = directory && new SeedHostStore(directory.database)
  for (const finding of seedHostStore?.all() ?? []) seeds.hosts.addReported(finding)
  const scope = new CrawlScope(config, seeds.urls)
  const hints = new ScopeHints({ config, logger, seeds })
  return { hints, scope, seedHostStore, seeds }
}
