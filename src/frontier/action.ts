import type { RobotsFailure } from '../messages/from-worker.ts'
import type { ProbeRequest, ResourceRequest, RobotsRequest } from '../messages/to-worker.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { RobotsRule } from '../robots/parse.ts'

/** An action for the crawl to carry out next. */
export type Action =
  /** Fetch a URL. */
  | { readonly type: 'visit'; readonly crawlUrl: CrawlUrl }
  /** Request a robots.txt. */
  | RobotsRequest
  /** Find out whether a host answers. */
  | ProbeRequest
  /** Count held failures: the URLs are at fault, not their host. */
  | { readonly type: 'count-failures'; readonly host: string; readonly ids: readonly number[] }
  /** Look up the address of a host. */
  | { readonly type: 'look-up'; readonly host: string }
  /** Record a failure, and call `Frontier.failed`: robots.txt is unreachable, perhaps with the whole site. */
  | ({ readonly type: 'fail'; readonly crawlUrl: CrawlUrl } & Pick<
      RobotsFailure,
      'reason' | 'error'
    >)
  /** Skip a URL. */
  | {
      readonly type: 'skip'
      readonly crawlUrl: CrawlUrl
      readonly reason: SkipCause
      /** The rule of robots.txt that forbids the URL; with `dry-run`, the one that allows it. */
      readonly rule?: RobotsRule | undefined
    }

/** An action for a resource that a rendered page loads. */
export type ResourceAction =
  | Extract<Action, { readonly type: 'robots' | 'look-up' }>
  /** Fetch the resource. */
  | ResourceRequest
  /** Refuse the request. */
  | { readonly type: 'refuse'; readonly id: number; readonly reason: string }

/** The reason why a waiting URL is not fetched. */
export type SkipCause = 'robots' | 'host-failed' | 'limit' | 'domain-limit' | 'trap' | 'dry-run'
