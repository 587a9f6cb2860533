import { type Claim, isSkip, STEPS_BESIDE } from '../../messages/claim-log.ts'
import type { AccountCounter } from '../../messages/counters.ts'
import type { Named } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { mergedKey, type Skip, skipKey } from '../../records/skip.ts'
import { CANONICAL_RULES } from '../../url/canonical-rules.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { WorkerDeath } from '../worker-pool/worker-pool.ts'

/** What one claim accounts for. */
interface Account {
  readonly key: string
  readonly counters: readonly AccountCounter[]
  readonly skip?: Skip
}

/** Takes in what a worker claimed for its pages before it died, as if it had told it. */
export function recoverClaims(state: CrawlState, { owner, crawlUrls, claims }: WorkerDeath): void {
  const byPage = Map.groupBy(claims, ({ page }) => page)
  for (const crawlUrl of crawlUrls) {
    const own = byPage.get(crawlUrl.id) ?? []
    account(
      state,
      owner,
      own.flatMap((claim) => accountOf(claim, crawlUrl)),
    )
    state.frontier.named(crawlUrl.id, namedBy(own), performance.now())
  }
}

function namedBy(claims: readonly Claim[]): Named {
  const urlsBy = (kind: Claim['kind']) =>
    claims.filter((claim) => claim.kind === kind).map(({ text }) => text)
  const beside = STEPS_BESIDE.map((hop) => ({ hop, urls: urlsBy(hop) }))
  return { discovered: urlsBy('link'), nearer: [], beside }
}

/** With `--deterministic` each page tells all that it names: then others have the lines, or the page itself. */
function account(state: CrawlState, owner: number, accounts: readonly Account[]): void {
  const { config, memory, skips } = state
  memory.addAccounted(
    owner,
    accounts.map(({ key }) => key),
  )
  for (const { counters, skip } of accounts) {
    memory.counters.account(Object.fromEntries(counters.map((counter) => [counter, 1])))
    if (skip !== undefined && !config.deterministic) skips.write([skip])
  }
}

function accountOf({ kind, text, isDeeper }: Claim, { url: via, depth }: CrawlUrl): Account[] {
  if (isSkip(kind)) {
    const skip = { url: text, via, depth: isDeeper ? depth + 1 : depth, reason: kind }
    return [{ key: skipKey(skip), counters: [`skip:${kind}`], skip }]
  }
  if (kind !== 'merged') return []
  const [names = '', url = ''] = text.split(' ')
  const rules = CANONICAL_RULES.filter((rule) => names.split(',').includes(rule))
  return [{ key: mergedKey(url), counters: rules.map((rule) => `merge:${rule}` as const) }]
}
