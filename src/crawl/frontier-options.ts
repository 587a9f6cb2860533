import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import type { FrontierOptions } from '../frontier/frontier.ts'
import type { DecisionLog } from './stats/decision-log.ts'
import type { Tuning } from './tuning.ts'

/**
 * Returns the options of the frontier of a crawl.
 * @throws CrawlerError('usage') for a budget whose last page depends on which of several hosts is the quickest
 */
export function frontierOptions(
  config: Config,
  tuning: Tuning,
  decisions: DecisionLog | undefined,
): FrontierOptions {
  checkOrder(config)
  // Behind a proxy it is the proxy that looks names up.
  const { http, https } = config.proxies
  const perIp = config.perIp && http === undefined && https === undefined
  const onPause = decisions?.paused.bind(decisions)
  // Which page is found first by which link depends on pauses.
  const jitter = config.deterministic ? undefined : config.jitter
  const { random, trapLimits } = tuning
  const queuedPerHost = perIp ? 0 : queuedUrls(config)
  return { ...config, perIp, jitter, queuedPerHost, random, trapLimits, onPause }
}

/**
 * Returns how many URLs of a host may wait in workers: half of what it gets at a time, where the workers keep that limit
 * by themselves. A request for a URL that waits there begins when another one ends, without the main thread.
 */
function queuedUrls(config: Config): number {
  const { perHost, workers, concurrency, delay, adaptive, deterministic } = config
  const isSpaced = delay > 0 || adaptive || deterministic
  // Rendered pages and logins make requests of their own, and another process may get the host.
  const { render, login, frontier } = config
  const isShared = render !== 'never' || login !== undefined || frontier.length > 0
  return isSpaced || isShared || workers * concurrency > perHost ? 0 : Math.ceil(perHost / 2)
}

function checkOrder({ deterministic, maxPerDomain }: Config): void {
  if (!deterministic || maxPerDomain === undefined) return
  throw new CrawlerError('usage', '--deterministic: expected no --max-per-domain with it')
}
