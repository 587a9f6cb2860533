import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { contentOf } from '../fetch/response-content.ts'
import { describeRequestedPause, type Pause, pauseAfter } from '../fetch/retry-after.ts'
import type { Attempt, Failed, Outcome, Postponed, Visited } from '../messages/messages.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { BodyFiles } from '../mirror/body-files.ts'
import { type Content, changeOf } from '../records/content.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { TRANSIENT_STATUSES } from '../records/error-code.ts'
import { MAX_SITEMAP_BYTES } from '../runtime/body-slots.ts'
import { collectGarbage } from '../runtime/collect-garbage.ts'
import type { Accounts } from './links/skip-counter.ts'
import type { Reader } from './parse/reader.ts'
import { type Reading, UNREAD } from './parse/reading.ts'
import { mayListUrls, seemsSitemap } from './parse/sitemap/candidates.ts'

/** Bytes of a body that leaves much behind. */
const LARGE = 2 ** 20

/** Fetches one URL, has the answer read, and tells what became of it. */
export class Visitor {
  readonly #setup: WorkerSetup
  readonly #fetcher: Fetcher
  readonly #reader: Reader
  readonly #accounts: Accounts
  readonly #bodies: BodyFiles | undefined

  constructor(
    setup: WorkerSetup,
    fetcher: Fetcher,
    reader: Reader,
    accounts: Accounts,
    bodies?: BodyFiles,
  ) {
    this.#setup = setup
    this.#fetcher = fetcher
    this.#reader = reader
    this.#accounts = accounts
    this.#bodies = bodies
  }

  async visit(crawlUrl: CrawlUrl): Promise<Outcome> {
    const started = performance.now()
    const isHead = this.#isHead(crawlUrl)
    // Servers that know no HEAD say all kinds of things: the next attempt is a GET.
    const mayRetry = isHead || crawlUrl.failures < this.#setup.retries
    let answer: FetchResponse | undefined
    try {
      answer = await this.#fetch(crawlUrl, mayRetry)
      const pause = pauseAfter(answer, this.#setup.maxRetryAfter)
      const attempt = attemptOf(answer.ms, pause)
      const mayDiffer =
        TRANSIENT_STATUSES.includes(answer.status) || (isHead && answer.status >= 400)
      // Who wants to be left alone for longer than anybody waits will not be asked again.
      const mayPass = mayDiffer && pause?.requested === undefined
      if (mayRetry && mayPass) return postponed(crawlUrl, attempt, { status: answer.status })
      const reading = withFailure(await this.#reader.read(crawlUrl, answer), answer)
      return await this.#visited(crawlUrl, answer, withPause(reading, pause), attempt)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const attempt = attemptOf(performance.now() - started)
      if (mayRetry && (error.isTransient || isHead))
        return postponed(crawlUrl, attempt, { error: error.code })
      return this.#failed(crawlUrl, error, attempt)
    } finally {
      answer?.release()
      if ((answer?.body?.length ?? 0) > LARGE) collectGarbage('major')
    }
  }

  /** What is only asked for is asked with HEAD at first. */
  #isHead(crawlUrl: CrawlUrl): boolean {
    return crawlUrl.failures === 0 && this.#reader.isAskedOnly(crawlUrl)
  }

  #fetch(crawlUrl: CrawlUrl, mayRetry: boolean): Promise<FetchResponse> {
    const { url, before } = crawlUrl
    if (this.#isHead(crawlUrl)) return this.#fetcher.head({ url })
    const { maxBody } = this.#setup
    if (this.#reader.isAskedOnly(crawlUrl)) return this.#fetcher.get({ url, maxBody: 0, mayRetry })
    const maxSitemap = this.#maxSitemap(crawlUrl)
    return this.#fetcher.get({ url, maxBody, maxSitemap, before: before ?? {}, mayRetry })
  }

  #maxSitemap(crawlUrl: CrawlUrl): number | undefined {
    const { sitemaps, maxBody } = this.#setup
    if (sitemaps) return mayListUrls(crawlUrl) ? Math.max(maxBody, MAX_SITEMAP_BYTES) : undefined
    return seemsSitemap(crawlUrl) ? maxBody : undefined
  }

  async #visited(
    crawlUrl: CrawlUrl,
    answer: FetchResponse,
    { record, leadsTo, skips, rewritings }: Reading,
    attempt: Attempt,
  ): Promise<Visited> {
    const { status, bytes, contentType, truncated } = answer
    const isWanted = !this.#reader.isAskedOnly(crawlUrl)
    const { redirectsTo, error } = record
    const content = this.#setup.digests ? contentOf(answer, redirectsTo) : undefined
    // Of a body that broke off nobody knows whether it is another one.
    const isUnknown = content === undefined && answer.endsEarly
    const compared = comparison(crawlUrl, isUnknown ? undefined : status, content)
    const fields = {
      status,
      ...(contentType !== undefined && { contentType: contentType.type }),
      ...(isWanted && { bytes, ...(truncated && { truncated }) }),
      ...record,
      ...compared,
      ...this.#requestFields(attempt),
    }
    const failure = error === undefined ? {} : { error: error.code }
    const { id } = crawlUrl
    const account = this.#accounts.of(crawlUrl, skips, rewritings)
    const found = { ...(content !== undefined && { content }), ...compared }
    const { exchange } = answer
    const isKept = isWanted && crawlUrl.isReread !== true
    const body = isKept ? await this.#bodies?.keep(answer) : undefined
    const kept = {
      ...(exchange !== undefined && { exchange }),
      ...(body !== undefined && { body }),
    }
    const beside = { ...found, ...kept }
    const told = { ...attempt, ...failure, ...leadsTo, ...beside, ...account }
    return { type: 'visited', id, fields, status, bytes, ...told }
  }

  #failed(crawlUrl: CrawlUrl, failure: FetchFailure, attempt: Attempt): Visited | Failed {
    const { code, message, status } = failure
    const own = { ...comparison(crawlUrl), ...this.#requestFields(attempt) }
    const fields = { ...own, error: { code, message } }
    const { id } = crawlUrl
    if (status === undefined) {
      return { type: 'failed', id, fields, error: code, message, ...attempt }
    }
    const answered = { type: 'visited', id, status, bytes: 0, error: code } as const
    const lines = { fields: { status, ...fields }, skipped: [] }
    return { ...answered, ...lines, ...attempt, ...UNREAD.leadsTo }
  }

  /** Returns the fields that differ from crawl to crawl. */
  #requestFields({ ms }: Attempt) {
    if (this.#setup.deterministic) return {}
    return { ms, worker: this.#setup.worker, time: new Date().toISOString() }
  }
}

function postponed(
  { id }: CrawlUrl,
  attempt: Attempt,
  met: Pick<Postponed, 'status' | 'error'>,
): Postponed {
  return { type: 'postponed', id, ...attempt, ...met }
}

function attemptOf(elapsed: number, pause?: Pause): Attempt {
  const ms = Math.round(elapsed)
  return pause === undefined ? { ms } : { ms, retryAfter: pause.retryAfter }
}

/** Returns a reading that says so where the host asks for a longer pause than it gets. */
function withPause(reading: Reading, pause: Pause | undefined): Reading {
  if (pause?.requested === undefined) return reading
  const message = `the host ${describeRequestedPause(pause.requested)}, longer than --max-retry-after`
  const error = { code: 'retry-after-too-long', message } as const
  return { ...reading, record: { ...reading.record, error } }
}

/** Returns a reading that says so where the answer broke off. */
function withFailure(reading: Reading, { failure }: FetchResponse): Reading {
  if (failure === undefined) return reading
  const { code, message } = failure
  return { ...reading, record: { ...reading.record, error: { code, message } } }
}

/** How the URL differs from its last visit, where that is wanted and can be told. */
function comparison({ before }: CrawlUrl, status?: number, content?: Content) {
  const change = before === undefined ? undefined : changeOf(before, status, content?.digest)
  return change === undefined ? {} : { change }
}
