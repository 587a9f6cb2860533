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
  return { ...config, perIp, jitter, random, trapLimits, onPause }
}

function checkOrder({ deterministic, maxPerDomain }: Config): void {
  if (!deterministic || maxPerDomain === undefined) return
  throw new CrawlerError('usage', '--deterministic: expected no --max-per-domain beside it')
}
