import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import type { FrontierOptions } from '../frontier/frontier.ts'
import type { DecisionLog } from './stats/decision-log.ts'
import type { Tuning } from './tuning.ts'

/**
 * Returns the options of the frontier of a crawl.
 * @throws CrawlerError('usage') for `--deterministic` with `--max-per-domain`: which pages come before the limit
 *   depends on which of several hosts is the fastest
 */
export function frontierOptions(
  config: Config,
  tuning: Tuning,
  decisions: DecisionLog | undefined,
): FrontierOptions {
  if (config.deterministic && config.maxPerDomain !== undefined) {
    throw new CrawlerError('usage', '--deterministic: expected no --max-per-domain with it')
  }
  // With a proxy, addresses are unknown, since the proxy looks names up.
  const { http, https } = config.proxies
  const perIp = config.perIp && http === undefined && https === undefined
  const onPause = decisions?.paused.bind(decisions)
  // Pauses affect which link leads to a page first, so they must not be random in a deterministic order.
  const jitter = config.deterministic ? undefined : config.jitter
  const { random, trapLimits } = tuning
  const queuedPerHost = perIp ? 0 : queuedUrls(config)
  return { ...config, perIp, jitter, queuedPerHost, random, trapLimits, onPause }
}

/**
 * Returns how many URLs of a host may wait in workers: half of `--per-host`, if all workers together can't exceed that
 * limit. The request for a waiting URL then begins as soon as another one ends, without the main thread.
 */
function queuedUrls(config: Config): number {
  const { perHost, workers, concurrency, delay, adaptive, deterministic } = config
  const isSpaced = delay > 0 || adaptive || deterministic
  // Rendered pages and logins make requests of their own, and another process may get the host.
  const { render, login, frontier } = config
  const isShared = render !== 'never' || login !== undefined || frontier.length > 0
  return isSpaced || isShared || workers * concurrency > perHost ? 0 : Math.ceil(perHost / 2)
}
