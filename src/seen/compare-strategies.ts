import { memoryLimit } from '../runtime/process-limits.ts'
import {
  DEFAULT_EXPECTED_URLS,
  DIGEST_NAMES,
  type DigestName,
  SEEN_SET_NAMES,
  type SeenName,
  type SeenOptions,
  type SeenPlan,
} from './seen-set.ts'
import { growsAsNeeded, planSeenSet } from './seen-set-lifecycle.ts'

/** Cost of one strategy. */
export interface StrategyPlan extends SeenPlan {
  readonly seen: SeenName
  /** Hash that the strategy `digest` stores. */
  readonly digest?: DigestName
  readonly bitsPerUrl: number
}

/** Costs of all strategies for a number of URLs. */
export interface StrategyComparison {
  readonly urls: number
  readonly falsePositiveRate: number
  /** Bytes of memory of this machine or container. */
  readonly memory: number
  readonly strategies: readonly StrategyPlan[]
}

/** Plans every strategy for that many URLs at this false-positive rate on this machine. */
export function compareStrategies(urls: number, falsePositiveRate: number): StrategyComparison {
  const memory = memoryLimit()
  const strategies = SEEN_SET_NAMES.flatMap((name) =>
    digestsOf(name).map((digest): StrategyPlan => {
      const expectedUrls = growsAsNeeded(name) ? Math.min(urls, DEFAULT_EXPECTED_URLS) : urls
      const options: SeenOptions = { name, expectedUrls, falsePositiveRate, ...digest }
      const plan = planSeenSet(options, urls, memory)
      return { seen: name, ...digest, bitsPerUrl: (plan.bytes * 8) / urls, ...plan }
    }),
  )
  return { urls, falsePositiveRate, memory, strategies }
}

function digestsOf(name: SeenName): readonly { digest?: DigestName }[] {
  return name === 'digest' ? DIGEST_NAMES.map((digest) => ({ digest })) : [{}]
}
