import type { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { locationOf } from '../fetch/redirect-location.ts'
import { describeRequestedPause, type Pause, pauseAfter } from '../fetch/retry-after.ts'
import type { Attempt, Outcome, Visited } from '../messages/outcome.ts'
import type { RenderResult, Unrendered } from '../messages/render-messages.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { BodyWriter } from '../mirror/body-writer.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { retriedStatuses } from '../records/error-code.ts'
import { LinkResolver } from '../url/resolve.ts'
import { withRenderedTree } from '../warc/archive-exchange.ts'
import { attemptOf } from './attempt.ts'
import type { SkipCounter } from './links/skip-counter.ts'
import { OutcomeBuilder, postponed } from './outcome-builder.ts'
import type { PageResponse } from './page/page-reading.ts'
import { PageRequest } from './page-request.ts'
import type { ParsedResponse } from './parse/parsed-response.ts'
import type { ResponseParser } from './parse/response-parser.ts'
import type { RenderRequests } from './rendering/render-requests.ts'
import { withResponse } from './with-response.ts'

interface VisitTools {
  readonly fetcher: Fetcher
  readonly parser: ResponseParser
  readonly skips: SkipCounter
  /** Called for each body that is cut because it is longer than `--max-body`. */
  readonly onCut: () => void
  /** Undefined if no output saves bodies. */
  readonly bodies?: BodyWriter | undefined
  /** Undefined without `--render`. */
  readonly renderRequests?: RenderRequests | undefined
}

/** A URL, and its response to an attempt. */
interface Answered<R extends FetchResponse = PageResponse> {
  readonly crawlUrl: CrawlUrl
  readonly response: R
  readonly attempt: Attempt
}

/** Fetches a URL, has the response parsed, and returns the outcome. */
export class Visitor {
  readonly #setup: WorkerSetup
  readonly #fetcher: Fetcher
  readonly #parser: ResponseParser
  readonly #outcomes: OutcomeBuilder
  readonly #bodies: BodyWriter | undefined
  readonly #retried: ReadonlySet<number>
  readonly #renderRequests: RenderRequests | undefined

  constructor(
    setup: WorkerSetup,
    { fetcher, parser, skips, bodies, renderRequests, onCut }: VisitTools,
  ) {
    this.#setup = setup
    this.#retried = retriedStatuses(setup.retryStatus)
    this.#fetcher = fetcher
    this.#parser = parser
    this.#outcomes = new OutcomeBuilder(setup, parser.rules, skips, onCut)
    this.#bodies = bodies
    this.#renderRequests = renderRequests
  }

  /** @param onWait called when the visit waits for a browser, so that others may begin */
  visit(crawlUrl: CrawlUrl, onWait: () => void = () => {}): Promise<Outcome> {
    const isRead = !this.#parser.rules.isCheckedOnly(crawlUrl)
    const request = new PageRequest(crawlUrl, this.#setup, isRead)
    return withResponse<Outcome>(
      request.isHead ? this.#fetcher.head(request) : this.#fetcher.get(request),
      (response) => this.#answered(crawlUrl, request, response, onWait),
      (failure) => this.#failed(crawlUrl, request, failure),
    )
  }

  /** Returns the outcome of a URL with a response. */
  async #answered(
    crawlUrl: CrawlUrl,
    request: PageRequest,
    response: FetchResponse,
    onWait: () => void,
  ): Promise<Outcome> {
    const pause = pauseAfter(response, this.#setup.maxRetryAfter)
    const attempt = attemptOf(response.ms, pause)
    const { status } = response
    if (this.#isRetried(request, status, pause)) {
      return postponed(crawlUrl, attempt, { status, isPreliminary: request.isHead })
    }
    if (this.#setup.cookies !== undefined && isCookieCheck(request, response)) {
      return postponed(crawlUrl, attempt, { status, isPreliminary: true })
    }
    if (this.#renderRequests !== undefined && this.#parser.isPage(crawlUrl, response)) {
      return this.#visitPage({ crawlUrl, response, attempt }, this.#renderRequests, onWait)
    }
    const parsing = this.#parser.parse(crawlUrl, response)
    // Most responses are parsed at once, and an await costs time.
    const content = parsing instanceof Promise ? await parsing : parsing
    const parsed = withPause(withFailure(content, response), pause)
    if (this.#bodies === undefined) {
      return this.#outcomes.visited(crawlUrl, response, parsed, attempt)
    }
    return this.#visited({ crawlUrl, response, attempt }, parsed)
  }

  /** Returns the outcome of a URL without a usable response. */
  #failed(crawlUrl: CrawlUrl, request: PageRequest, failure: FetchFailure): Outcome {
    const attempt = attemptOf(request.elapsed)
    if (request.mayRetry && (failure.isTransient || request.isHead)) {
      const { code: error, timedOut } = failure
      return postponed(crawlUrl, attempt, { error, timedOut, isPreliminary: request.isHead })
    }
    return this.#outcomes.failed(crawlUrl, failure, attempt)
  }

  /** Returns whether another request for the URL follows because of the status of its response. */
  #isRetried(request: PageRequest, status: number, pause: Pause | undefined): boolean {
    const isTransient = this.#retried.has(status) || (request.isHead && status >= 400)
    // If a host requests a longer pause than allowed, there is no other attempt.
    const mayWait = pause?.requested === undefined
    return request.mayRetry && isTransient && mayWait
  }

  /** Visits a page in a crawl that renders pages. Has it rendered unless the evidence is against it. */
  async #visitPage(
    answered: Answered,
    renderRequests: RenderRequests,
    onWait: () => void,
  ): Promise<Visited> {
    const { crawlUrl, attempt } = answered
    const evidence = renderRequests.evidenceOf(crawlUrl, answered.response)
    if (typeof evidence === 'string') return this.#visitUnrendered(answered, evidence)
    const response = detached(answered.response)
    const result = renderRequests.render(crawlUrl, response, attempt, evidence)
    onWait()
    const visited = await this.#visitResult({ crawlUrl, response, attempt }, await result)
    return visited.unrendered === undefined ? withoutValidators(visited) : visited
  }

  /** Parses a page as the browser shows it, or as the server sent it if it was not rendered. */
  async #visitResult(answered: Answered, result: RenderResult): Promise<Visited> {
    const { crawlUrl, response, attempt } = answered
    if ('unrendered' in result) return this.#visitUnrendered(answered, result.unrendered)
    if ('failure' in result) {
      const parsed = await this.#parser.parse(crawlUrl, response)
      const error = { code: 'render-failed', message: result.failure } as const
      const failed = { ...parsed, fields: { error, ...parsed.fields } }
      return this.#visited(answered, withFailure(failed, response))
    }
    const content = await this.#parser.parseRendered(crawlUrl, response, result)
    const { html, ms, screenshot } = result
    const fields = { ...content.fields, ...(!this.#setup.deterministic && { renderMs: ms }) }
    const saved = { ...response, body: Buffer.from(html.buffer, html.byteOffset, html.length) }
    const parsed = withFailure({ ...content, fields }, response)
    const { exchange: sent } = response
    const archived = { ...response, ...(sent && { exchange: withRenderedTree(sent, html) }) }
    const visited = await this.#visited({ crawlUrl, response: archived, attempt }, parsed, saved)
    return screenshot === undefined ? visited : { ...visited, screenshot }
  }

  async #visitUnrendered(answered: Answered, unrendered: Unrendered): Promise<Visited> {
    const { crawlUrl, response } = answered
    const parsed = withFailure(await this.#parser.parse(crawlUrl, response), response)
    return { ...(await this.#visited(answered, parsed)), unrendered }
  }

  /** Builds the outcome of a visit, and saves the body. @param saved the response with the body to save */
  async #visited(
    { crawlUrl, response, attempt }: Answered<FetchResponse>,
    parsed: ParsedResponse,
    saved = response,
  ): Promise<Visited> {
    const visited = this.#outcomes.visited(crawlUrl, response, parsed, attempt)
    const isSaved = !this.#parser.rules.isCheckedOnly(crawlUrl) && crawlUrl.isReread !== true
    const body = isSaved ? await this.#bodies?.write(crawlUrl.url, saved) : undefined
    return body === undefined ? visited : { ...visited, body }
  }
}

/**
 * Returns whether the first response to a URL sets a cookie and redirects to the same URL, which then has another
 * response to a request with the cookie.
 */
function isCookieCheck({ url, failures }: PageRequest, response: FetchResponse): boolean {
  if (failures > 0 || response.headers['set-cookie'] === undefined) return false
  const location = locationOf(response)
  return location !== undefined && new LinkResolver(url).resolve(location) === url
}

/** Returns a response with a copy of its body. The original is released, since other bodies need its memory. */
function detached(response: PageResponse): PageResponse {
  const body = Buffer.from(response.body)
  response.release()
  return { ...response, body, release() {} }
}

/** Removes the validators of a rendered page, since its data may change while its document doesn't. */
function withoutValidators(visited: Visited): Visited {
  const { digest } = visited.content ?? {}
  return digest === undefined ? visited : { ...visited, content: { digest } }
}

/** Adds an error if the host asks for a longer pause than --max-retry-after. */
function withPause(parsed: ParsedResponse, pause: Pause | undefined): ParsedResponse {
  if (pause?.requested === undefined) return parsed
  const message = `the host ${describeRequestedPause(pause.requested)}, longer than --max-retry-after`
  const error = { code: 'retry-after-too-long', message } as const
  return { ...parsed, fields: { ...parsed.fields, error } }
}

/** Adds an error if the response is incomplete. */
function withFailure(parsed: ParsedResponse, { failure }: FetchResponse): ParsedResponse {
  if (failure === undefined) return parsed
  const { code, message } = failure
  return { ...parsed, fields: { ...parsed.fields, error: { code, message } } }
}
