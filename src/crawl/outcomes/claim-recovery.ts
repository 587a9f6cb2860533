import type { Frontier } from '../../frontier/frontier.ts'
import { type Claim, isSkip } from '../../messages/claim-log.ts'
import type { SkipCounterName } from '../../messages/counters.ts'
import type { LinkedUrls } from '../../messages/outcome.ts'
import { type CrawlUrl, SAME_DEPTH_HOP_KINDS } from '../../records/crawl-url.ts'
import { mergedKey, type Skip, skipKey } from '../../records/skip.ts'
import { REWRITE_RULES } from '../../url/canonical-rules.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { WorkerDeath } from '../worker-pool/pool-events.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'

export interface ClaimRecoveryParts {
  readonly frontier: Pick<Frontier, 'addLinks'>
  readonly memory: Pick<SharedMemory, 'markSkipsCountedFor' | 'counters'>
  readonly skips: SkipLog
}

/** A claim about a URL that is not fetched, or that was merged with another. */
interface CountedClaim {
  readonly key: string
  readonly counters: readonly SkipCounterName[]
  readonly skip?: Skip
}

/** Applies the claims that a dead worker made for its pages, as if it had reported them. */
export function recoverClaims(
  parts: ClaimRecoveryParts,
  { owner, crawlUrls, claims }: WorkerDeath,
): void {
  const byPage = Map.groupBy(claims, ({ page }) => page)
  for (const crawlUrl of crawlUrls) {
    const own = byPage.get(crawlUrl.id) ?? []
    const counted = own.flatMap((claim) => countedClaim(claim, crawlUrl))
    countClaims(parts, owner, counted)
    parts.frontier.addLinks(crawlUrl.id, linksOf(own), performance.now())
  }
}

function linksOf(claims: readonly Claim[]): LinkedUrls {
  const urlsOf = (kind: Claim['kind']) =>
    claims.filter((claim) => claim.kind === kind).map(({ text }) => text)
  const sameDepth = SAME_DEPTH_HOP_KINDS.map((hop) => ({ hop, urls: urlsOf(hop) }))
  return { discovered: urlsOf('link'), nearer: [], sameDepth }
}

function countClaims(
  { memory, skips }: ClaimRecoveryParts,
  owner: number,
  claims: readonly CountedClaim[],
): void {
  const keys = claims.map(({ key }) => key)
  memory.markSkipsCountedFor(owner, keys)
  for (const { counters, skip } of claims) {
    memory.counters.addSkips(Object.fromEntries(counters.map((counter) => [counter, 1])))
    if (skip !== undefined) skips.writeCounted([skip])
  }
}

function countedClaim(
  { kind, text, isDeeper }: Claim,
  { url: via, depth }: CrawlUrl,
): CountedClaim[] {
  if (isSkip(kind)) {
    const skip = { url: text, via, depth: isDeeper ? depth + 1 : depth, reason: kind }
    return [{ key: skipKey(skip), counters: [`skip:${kind}`], skip }]
  }
  if (kind !== 'merged') return []
  const [names = '', url = ''] = text.split(' ')
  const rules = REWRITE_RULES.filter((rule) => names.split(',').includes(rule))
  return [{ key: mergedKey(url), counters: rules.map((rule) => `merge:${rule}` as const) }]
}
