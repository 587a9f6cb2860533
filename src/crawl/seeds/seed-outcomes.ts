import type { Config } from '../../config/schema.ts'
import { formatList } from '../../english-text.ts'
import { isOfBadCertificate } from '../../fetch/fetch-failure.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import type { SameDepthUrls, Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { PROCESSING_FAILURES } from '../../records/error-code.ts'
import { isRedirect } from '../../records/redirect-status.ts'
import type { Skip } from '../../records/skip.ts'
import { fetchedFields } from '../../records/visit-record.ts'
import { originOf } from '../../url/origin.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { CrawlScope } from './crawl-scope.ts'
import type { SeedTracker } from './seed-tracker.ts'

export interface SeedOutcomeParts {
  readonly config: Pick<Config, 'auth' | 'authFile' | 'cert' | 'external' | 'headers'>
  readonly frontier: Pick<Frontier, 'addSeed'>
  readonly logger: Logger
  readonly memory: Pick<SharedMemory, 'addNew'>
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
  readonly skips: { add(skip: Skip): void }
}

type SeedVisit = Pick<Visited, 'status' | 'error' | 'fields'>

/** Applies the outcomes of seeds: their redirects may widen the scope, and some seeds have a fallback. */
export class SeedOutcomes {
  readonly #parts: SeedOutcomeParts
  readonly #onWiden: (url: string) => void
  #hasWarned = false

  /** @param onWiden called with the target when the redirect of a seed adds a host to the scope */
  constructor(parts: SeedOutcomeParts, onWiden: (url: string) => void) {
    this.#parts = parts
    this.#onWiden = onWiden
  }

  /** Returns a visit with its redirect out of the scope if it is followed. Targets of a seed's redirects count as seeds. */
  followRedirect(crawlUrl: CrawlUrl, outcome: Visited): Visited {
    const { leaves } = outcome
    const isFollowed = leaves !== undefined && this.#mayLeave(crawlUrl, leaves)
    const followed = isFollowed ? this.#withRedirect(outcome, leaves) : outcome
    if (followed.sameDepth.length > 0) this.#countTargetsAsSeeds(crawlUrl, followed.sameDepth)
    return followed
  }

  #withRedirect(outcome: Visited, target: string): Visited {
    const discovered = this.#parts.memory.addNew([target]).length
    const fields = { ...fetchedFields(outcome.fields), discovered }
    const redirect: SameDepthUrls = { hop: 'redirect', urls: [target] }
    return { ...outcome, fields, sameDepth: [...outcome.sameDepth, redirect] }
  }

  /** Counts a seed that was fetched, and the status at the end of its redirects. Notes why its response is unusable. */
  visited({ url, hop, depth }: CrawlUrl, { status, error, fields }: SeedVisit): void {
    const { seeds } = this.#parts
    if (hop === 'seed') seeds.countAnswered(url)
    // Seeds and the targets of their redirects are at depth 0. A look-up of each other URL would take long.
    if (depth > 0 || !seeds.has(url)) return
    if (!isRedirect(status)) seeds.countStatus(url, status)
    if (status >= 400 || error === undefined || PROCESSING_FAILURES.includes(error)) return
    seeds.noteError(url, fetchedFields(fields).error?.message ?? error)
  }

  /** Handles a URL whose server sent no response in time. Returns true if it was a seed and another URL is tried now. */
  timedOut(crawlUrl: CrawlUrl): boolean {
    const mayFallBack = crawlUrl.isReread !== true && this.#parts.seeds.mayFallBack(crawlUrl.url)
    return mayFallBack && this.failed(crawlUrl, 'no response in time')
  }

  /** Handles a failed URL. Returns true if it was a seed and another URL is tried in its place. */
  failed({ url, hop }: CrawlUrl, message: string): boolean {
    if (hop !== 'seed') return false
    const { config, frontier, logger, memory, scope, seeds } = this.#parts
    const fallback = seeds.takeFallback(url)
    // A server with a bad certificate must not be able to make the crawl send everything without TLS.
    if (fallback === undefined || isOfBadCertificate(message)) {
      seeds.fail(url, message)
      return false
    }
    seeds.countAsSeed(fallback)
    memory.addNew([fallback])
    // `a.test:80` is the default port of the fallback only, so the two have different hosts.
    if (scope.admit(fallback)) this.#onWiden(fallback)
    const withheld = withheldFrom(config, fallback, seeds.hasLogin(url))
    const next = `${url}: ${message}; trying ${fallback}`
    if (withheld === '') logger.info(next)
    else logger.warn(`${next} without ${withheld}: only a seed that begins with http:// sends it`)
    frontier.addSeed(fallback, performance.now())
    return true
  }

  /**
   * Returns whether a redirect out of the scope is followed. Its target joins the scope if the URL counts as a seed;
   * other targets are for `--external`, or skipped.
   */
  #mayLeave({ url: via, depth }: CrawlUrl, target: string): boolean {
    const { config, scope, seeds, skips } = this.#parts
    const countsAsSeed = seeds.has(via)
    if (countsAsSeed && scope.widen(target)) {
      this.#onWiden(target)
      return true
    }
    if (!countsAsSeed && config.external && !scope.excludes(target)) return true
    skips.add({ url: target, via, depth, reason: scope.whyNot(target) ?? 'out-of-scope' })
    return false
  }

  #countTargetsAsSeeds({ url }: CrawlUrl, sameDepth: readonly SameDepthUrls[]): void {
    const { seeds } = this.#parts
    if (!seeds.has(url)) return
    for (const { hop, urls } of sameDepth) {
      if (hop !== 'redirect') continue
      for (const target of urls) {
        this.#warnOfWithheld(url, target)
        seeds.countAsSeed(target)
      }
    }
  }

  /** Warns once if the redirect of a seed leads to an origin that doesn't get the user's secrets. */
  #warnOfWithheld(url: string, target: string): void {
    const { config, logger, scope, seeds } = this.#parts
    const withheld = withheldFrom(config, target, seeds.hasLogin(url) && !seeds.hasLogin(target))
    const origin = originOf(target)
    if (this.#hasWarned || withheld === '' || scope.getsHeaders(origin)) return
    this.#hasWarned = true
    const text = `${url} redirects to ${target}, which is requested without ${withheld}`
    logger.warn({ url }, `${text}: only a seed at ${origin} sends it there`)
  }
}

/** Returns a list of the secrets that only the seed's own origin may get, and not its fallback or the target of its redirect. */
function withheldFrom(
  { auth, authFile, cert, headers }: SeedOutcomeParts['config'],
  target: string,
  hasLogin: boolean,
): string {
  const hasAuth = auth !== undefined || authFile !== undefined
  const hasHeaders = Object.keys(headers).length > 0
  const withheld = [
    ...(hasLogin ? ['its user and password'] : []),
    ...(hasAuth ? ['--auth'] : []),
    ...(hasHeaders ? ['--header'] : []),
    ...(cert !== undefined && target.startsWith('https:') ? ['--cert'] : []),
  ]
  return formatList(withheld, 'and')
}
