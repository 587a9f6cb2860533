import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { versionOf } from '../fetch/response-version.ts'
import { describeRequestedPause, type Pause, pauseAfter } from '../fetch/retry-after.ts'
import type { Attempt, Failed, Outcome, Postponed, Visited } from '../messages/messages.ts'
import type { RenderResult, Unrendered } from '../messages/render-messages.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { BodyFiles } from '../mirror/body-files.ts'
import { type ContentVersion, changeOf } from '../records/content-version.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { retriedStatuses } from '../records/error-code.ts'
import { collectGarbage } from '../runtime/collect-garbage.ts'
import { MAX_SITEMAP_BYTES } from '../runtime/shared-body-memory.ts'
import { withRenderedTree } from '../warc/archive-rendered.ts'
import { attemptOf } from './attempt.ts'
import type { SkipCounter } from './links/skip-counter.ts'
import type { PageResponse } from './page/page-reading.ts'
import type { PageRenders } from './page-renders.ts'
import { type ParsedResponse, UNPARSED } from './parse/parsed-response.ts'
import type { ResponseParser } from './parse/response-parser.ts'
import { isSitemapByName, mayListUrls } from './parse/sitemap/looks-like-sitemap.ts'

/** Bytes of a body after which garbage is collected at once. */
const LARGE = 2 ** 20

interface VisitTools {
  readonly fetcher: Fetcher
  readonly parser: ResponseParser
  readonly skips: SkipCounter
  /** Undefined if no output needs bodies. */
  readonly bodies?: BodyFiles | undefined
  /** Undefined without `--render`. */
  readonly renders?: PageRenders | undefined
}

/** Fetches a URL, has the response parsed, and returns the outcome. */
export class Visitor {
  readonly #setup: WorkerSetup
  readonly #fetcher: Fetcher
  readonly #parser: ResponseParser
  readonly #skipCounter: SkipCounter
  readonly #bodies: BodyFiles | undefined
  readonly #retried: ReadonlySet<number>
  readonly #renders: PageRenders | undefined

  constructor(setup: WorkerSetup, { fetcher, parser, skips, bodies, renders }: VisitTools) {
    this.#setup = setup
    this.#retried = retriedStatuses(setup.retryStatus)
    this.#fetcher = fetcher
    this.#parser = parser
    this.#skipCounter = skips
    this.#bodies = bodies
    this.#renders = renders
  }

  /** @param onWait called when the visit waits for a browser, so that others may begin */
  async visit(crawlUrl: CrawlUrl, onWait: () => void = () => {}): Promise<Outcome> {
    let started = performance.now()
    const onSend = () => {
      started = performance.now()
    }
    const isHead = this.#isHead(crawlUrl)
    // Servers that don't know HEAD answer it with anything: the next attempt is a GET.
    const mayRetry = isHead || crawlUrl.failures < this.#setup.retries
    let response: FetchResponse | undefined
    try {
      response = await this.#fetch(crawlUrl, mayRetry, onSend)
      const pause = pauseAfter(response, this.#setup.maxRetryAfter)
      const attempt = attemptOf(response.ms, pause)
      const isTransient = this.#retried.has(response.status) || (isHead && response.status >= 400)
      // A host that asks for a longer pause than allowed gets no other attempt.
      const mayWait = pause?.requested === undefined
      if (mayRetry && isTransient && mayWait)
        return postponed(crawlUrl, attempt, { status: response.status })
      if (this.#renders !== undefined && this.#parser.isPage(crawlUrl, response)) {
        return await this.#visitPage(crawlUrl, response, attempt, this.#renders, onWait)
      }
      const parsed = withFailure(await this.#parser.parse(crawlUrl, response), response)
      return await this.#visited(crawlUrl, response, withPause(parsed, pause), attempt)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const attempt = attemptOf(performance.now() - started)
      if (mayRetry && (error.isTransient || isHead))
        return postponed(crawlUrl, attempt, { error: error.code })
      return this.#failed(crawlUrl, error, attempt)
    } finally {
      response?.release()
      if ((response?.body?.length ?? 0) > LARGE) collectGarbage('major')
    }
  }

  /** Has a page rendered, if it is to be. */
  async #visitPage(
    crawlUrl: CrawlUrl,
    sent: PageResponse,
    attempt: Attempt,
    renders: PageRenders,
    onWait: () => void,
  ): Promise<Visited> {
    const evidence = renders.evidenceOf(crawlUrl, sent)
    if (typeof evidence === 'string')
      return this.#visitUnrendered(crawlUrl, sent, attempt, evidence)
    const response = detached(sent)
    const result = renders.render(crawlUrl, response, attempt, evidence)
    onWait()
    return this.#visitResult(crawlUrl, response, attempt, await result)
  }

  /** Parses a page as the browser shows it, or as the server sent it where that failed. */
  async #visitResult(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    attempt: Attempt,
    result: RenderResult,
  ): Promise<Visited> {
    if ('unrendered' in result)
      return this.#visitUnrendered(crawlUrl, response, attempt, result.unrendered)
    if ('failure' in result) {
      const parsed = await this.#parser.parse(crawlUrl, response)
      const error = { code: 'render-failed', message: result.failure } as const
      const failed = { ...parsed, fields: { error, ...parsed.fields } }
      return this.#visited(crawlUrl, response, withFailure(failed, response), attempt)
    }
    const parsed = await this.#parser.parseRendered(crawlUrl, response, result)
    const { html, ms } = result
    const fields = { ...parsed.fields, ...(!this.#setup.deterministic && { renderMs: ms }) }
    const saved = { ...response, body: Buffer.from(html.buffer, html.byteOffset, html.length) }
    const whole = withFailure({ ...parsed, fields }, response)
    const { exchange: sent } = response
    const exchange = sent && { exchange: withRenderedTree(sent, html) }
    return this.#visited(crawlUrl, { ...response, ...exchange }, whole, attempt, saved)
  }

  async #visitUnrendered(
    crawlUrl: CrawlUrl,
    response: PageResponse,
    attempt: Attempt,
    unrendered: Unrendered,
  ): Promise<Visited> {
    const parsed = withFailure(await this.#parser.parse(crawlUrl, response), response)
    return { ...(await this.#visited(crawlUrl, response, parsed, attempt)), unrendered }
  }

  /** Returns whether the request is a HEAD: the first attempt at a URL that is only checked. */
  #isHead(crawlUrl: CrawlUrl): boolean {
    return crawlUrl.failures === 0 && this.#parser.isCheckedOnly(crawlUrl)
  }

  #fetch(crawlUrl: CrawlUrl, mayRetry: boolean, onSend: () => void): Promise<FetchResponse> {
    const { url, before } = crawlUrl
    if (this.#isHead(crawlUrl)) return this.#fetcher.head({ url, onSend })
    const { maxBody } = this.#setup
    if (this.#parser.isCheckedOnly(crawlUrl))
      return this.#fetcher.get({ url, maxBody: 0, mayRetry, onSend })
    const maxSitemap = this.#maxSitemap(crawlUrl)
    const conditions = { before: before ?? {}, mayRetry }
    return this.#fetcher.get({ url, maxBody, maxSitemap, ...conditions, onSend })
  }

  #maxSitemap(crawlUrl: CrawlUrl): number | undefined {
    const { sitemaps, maxBody } = this.#setup
    if (sitemaps) return mayListUrls(crawlUrl) ? Math.max(maxBody, MAX_SITEMAP_BYTES) : undefined
    return isSitemapByName(crawlUrl) ? maxBody : undefined
  }

  /** @param saved the response whose body is saved */
  async #visited(
    crawlUrl: CrawlUrl,
    response: FetchResponse,
    parsed: ParsedResponse,
    attempt: Attempt,
    saved = response,
  ): Promise<Visited> {
    const { status, bytes, contentType, truncated, exchange } = response
    const { redirectsTo, error } = parsed.fields
    const isRead = !this.#parser.isCheckedOnly(crawlUrl)
    const content = this.#setup.digests ? versionOf(response, redirectsTo) : undefined
    // A body that broke off can't be compared.
    const isUnknown = content === undefined && response.endsEarly
    const compared = comparison(crawlUrl, isUnknown ? undefined : status, content)
    const body = isRead && crawlUrl.isReread !== true ? await this.#bodies?.keep(saved) : undefined
    return {
      ...{ type: 'visited', id: crawlUrl.id, status, bytes },
      fields: {
        status,
        ...(contentType !== undefined && { contentType: contentType.type }),
        ...(isRead && { bytes, ...(truncated && { truncated }) }),
        ...parsed.fields,
        ...compared,
        ...(this.#setup.hash && redirectsTo === undefined && hashOf(content)),
        ...this.#requestFields(attempt),
      },
      ...attempt,
      ...(error !== undefined && { error: error.code }),
      ...parsed.findings,
      ...(content !== undefined && { content }),
      ...compared,
      ...(exchange !== undefined && { exchange }),
      ...(body !== undefined && { body }),
      ...this.#skipCounter.count(crawlUrl, parsed.skips, parsed.rewrites),
    }
  }

  #failed(crawlUrl: CrawlUrl, failure: FetchFailure, attempt: Attempt): Visited | Failed {
    const { id } = crawlUrl
    const { code, message, status } = failure
    const compared = comparison(crawlUrl)
    const fields = { ...compared, ...this.#requestFields(attempt), error: { code, message } }
    if (status === undefined) {
      return { type: 'failed', id, fields, error: code, message, ...attempt }
    }
    return {
      ...{ type: 'visited', id, status, bytes: 0, error: code, skipped: [] },
      fields: { status, ...fields },
      ...attempt,
      ...UNPARSED.findings,
    }
  }

  /** Returns the fields that differ from crawl to crawl. */
  #requestFields({ ms }: Attempt) {
    if (this.#setup.deterministic) return {}
    return { ms, worker: this.#setup.worker, time: new Date().toISOString() }
  }
}

/** Returns a response with a copy of its body: others wait for the memory of the body while it is rendered. */
function detached(response: PageResponse): PageResponse {
  const body = Buffer.from(response.body)
  response.release()
  return { ...response, body, release() {} }
}

function postponed(
  { id }: CrawlUrl,
  attempt: Attempt,
  met: Pick<Postponed, 'status' | 'error'>,
): Postponed {
  return { type: 'postponed', id, ...attempt, ...met }
}

/** Adds an error if the host asks for a longer pause than --max-retry-after. */
function withPause(parsed: ParsedResponse, pause: Pause | undefined): ParsedResponse {
  if (pause?.requested === undefined) return parsed
  const message = `the host ${describeRequestedPause(pause.requested)}, longer than --max-retry-after`
  const error = { code: 'retry-after-too-long', message } as const
  return { ...parsed, fields: { ...parsed.fields, error } }
}

/** Adds an error if the response broke off. */
function withFailure(parsed: ParsedResponse, { failure }: FetchResponse): ParsedResponse {
  if (failure === undefined) return parsed
  const { code, message } = failure
  return { ...parsed, fields: { ...parsed.fields, error: { code, message } } }
}

/** Returns the hash of a body for its record. */
function hashOf({ digest }: ContentVersion = {}): { readonly hash?: string } {
  return digest === undefined ? {} : { hash: digest }
}

/** Returns how the content differs from the last visit, with --revisit-after and if that is known. */
function comparison({ before }: CrawlUrl, status?: number, content?: ContentVersion) {
  const change = before === undefined ? undefined : changeOf(before, status, content?.digest)
  return change === undefined ? {} : { change }
}
