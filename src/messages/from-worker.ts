import type { ErrorCode } from '../records/error-code.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import type { PageEvidence } from '../render/learning/template-memory.ts'
import type { FetchedPage, ResourceReply } from '../render/rendered-page.ts'
import type { RobotsRules } from '../robots/parse.ts'
import type { OlderClaims } from './claim-log.ts'
import type { Attempt, CountedSkips, Outcome, SameDepthUrls } from './outcome.ts'

/** A message from a worker to the main thread. */
export type WorkerMessage =
  /** The worker begins to import the module of hooks. */
  | { readonly type: 'importing' }
  /** The worker is ready for URLs. `heapLimit` is the maximum size of its heap in bytes. */
  | { readonly type: 'ready'; readonly heapLimit: number }
  | SetCookies
  | ClaimsHandedOver
  | SitemapPartRead
  | RenderRequest
  | ResourceFetched
  | OutcomesMessage
  /** The URL was not requested: it was recalled, the crawl stopped, or its host requested a pause. */
  | { readonly type: 'unsent'; readonly id: number }
  | RobotsFetched
  | { readonly type: 'probe'; readonly host: string; readonly reply: ProbeReply }

/** Values of Set-Cookie in the response to `url`, from one worker to all others. */
export interface SetCookies {
  readonly type: 'cookies'
  readonly url: string
  readonly setCookies: readonly string[]
}

/** The result of a probe: the status of the response, or the code of the failure. */
export interface ProbeReply {
  readonly status?: number
  readonly error?: ErrorCode
  /** Milliseconds to wait before the next request to the host, as in `Attempt`. */
  readonly retryAfter?: number
}

/** The rules of an origin's robots.txt, or one answer for all of its URLs. */
export type RobotsAnswer =
  | { readonly access: 'rules'; readonly rules: RobotsRules }
  | { readonly access: 'allow-all' }
  | RobotsFailure

/** robots.txt could not be fetched. */
export interface RobotsFailure {
  readonly access: 'disallow-all'
  readonly reason: string
  /** True if another request may succeed. */
  readonly isTransient: boolean
  /** Set if the origin's address is refused: its pages fail with this error, too. */
  readonly error?: 'private-address'
  /** Milliseconds to wait before the next request to the host, as in `Attempt`. */
  readonly retryAfter?: number
  /** True if the host requested a longer pause than --max-retry-after. */
  readonly isExcessive?: boolean
}

/** The result of a request for robots.txt. */
export type RobotsReply = RobotsAnswer | { readonly access: 'moved'; readonly to: string }

/** The reply of an origin to a request for robots.txt. */
export interface RobotsFetched {
  readonly type: 'robots'
  readonly origin: string
  readonly reply: RobotsReply
  /** True if the origin sent no response in time. */
  readonly timedOut?: true
  /** The request and the response for the archive, if there is one. */
  readonly exchange?: ArchivedExchange
}

/** Claims from a worker's full log. The main thread keeps them until their pages are reported. */
interface ClaimsHandedOver extends OlderClaims {
  readonly type: 'claims'
}

/** Some of the URLs of a long sitemap. The others follow in further parts, and in the outcome. */
export interface SitemapPartRead extends CountedSkips {
  readonly type: 'sitemap-part'
  /** Id of the URL of the sitemap. */
  readonly id: number
  readonly sameDepth: readonly SameDepthUrls[]
}

/** Has a page rendered. Its host is released meanwhile, since the page makes requests of its own. */
export interface RenderRequest {
  readonly type: 'render'
  /** Id of its URL. */
  readonly id: number
  readonly attempt: Attempt
  readonly page: FetchedPage
  /** The evidence for the decision whether to render the page, with `--render auto`. */
  readonly evidence?: PageEvidence
}

/** The response to a request of a rendered page. */
export interface ResourceFetched {
  readonly type: 'resource'
  readonly id: number
  readonly reply: ResourceReply
  readonly attempt: Attempt
  /** True if another attempt may succeed. */
  readonly isTransient?: boolean
  /** The request and the response for the archive, if there is one. */
  readonly exchange?: ArchivedExchange
}

/**
 * Several outcomes in one message. Ordinary ones form one text, which contains their records as they will be written:
 * cloning them as objects would cost several times as much on both threads.
 */
export interface OutcomesMessage {
  readonly type: 'outcomes'
  /** The ordinary outcomes, as messages/outcome-text.ts writes them. */
  readonly text: string
  /** The packed links of ordinary outcomes, one after another. */
  readonly links: string
  readonly others: readonly Outcome[]
}
