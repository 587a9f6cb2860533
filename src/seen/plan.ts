import { memoryLimit } from './growable.ts'
import { growsByItself, planSeenSet, SEEN_NAMES } from './registry.ts'
import type { DigestName, SeenName, SeenOptions, SeenPlan } from './seen-set.ts'

/** Where sets that grow begin, as they do by default. */
const usualBeginning = 1_000_000

/** What one strategy costs. */
export interface StrategyPlan extends SeenPlan {
  readonly seen: SeenName
  /** What `digest` keeps of a URL. */
  readonly digest?: DigestName
  readonly bitsPerUrl: number
}

export interface Plan {
  readonly urls: number
  readonly falsePositiveRate: number
  /** Bytes of memory that this machine, or this container, has. */
  readonly memory: number
  readonly strategies: readonly StrategyPlan[]
}

/** What each strategy costs for so many URLs, at this false-positive rate, on this machine. */
export function planCrawl(urls: number, falsePositiveRate: number): Plan {
  const memory = memoryLimit()
  const strategies = SEEN_NAMES.flatMap((name) =>
    digestsOf(name).map((digest): StrategyPlan => {
      const expectedUrls = growsByItself(name) ? Math.min(urls, usualBeginning) : urls
      const options: SeenOptions = { name, expectedUrls, falsePositiveRate, ...digest }
      const plan = planSeenSet(options, urls, memory)
      return { seen: name, ...digest, bitsPerUrl: (plan.bytes * 8) / urls, ...plan }
    }),
  )
  return { urls, falsePositiveRate, memory, strategies }
}

const digestNames: readonly DigestName[] = ['halfsiphash', 'md5', 'sha-1', 'sha-256']

function digestsOf(name: SeenName): readonly { digest?: DigestName }[] {
  return name === 'digest' ? digestNames.map((digest) => ({ digest })) : [{}]
}
