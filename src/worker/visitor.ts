import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { Failed, Outcome, Visited, WorkerSetup } from '../wire/messages.ts'
import { encodeVisit } from '../wire/visit.ts'
import type { Discoverer } from './discoverer.ts'
import { followRedirect, locationOf } from './follow-redirect.ts'
import { isHtml } from './http/content-type.ts'
import { FetchFailure } from './http/fetch-failure.ts'
import type { Answer, HttpClient } from './http/http-client.ts'
import { type Reading, readPage } from './read-page.ts'

/** Statuses that a later attempt may not meet again. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Of no interest but for the record. */
const UNREAD: Reading = { record: {}, leadsTo: { discovered: [], nearer: [], beside: [] } }

/** Fetches one URL, reads what came, and tells what became of it. */
export class Visitor {
  readonly #setup: WorkerSetup
  readonly #http: HttpClient
  readonly #discoverer: Discoverer

  constructor(setup: WorkerSetup, http: HttpClient, discoverer: Discoverer) {
    this.#setup = setup
    this.#http = http
    this.#discoverer = discoverer
  }

  async visit(crawlUrl: CrawlUrl): Promise<Outcome> {
    const started = performance.now()
    const mayRetry = crawlUrl.attempt <= this.#setup.retries
    try {
      const answer = await this.#http.get(crawlUrl.url, this.#setup.maxBody)
      if (mayRetry && PASSING.has(answer.status)) return { type: 'postponed', id: crawlUrl.id }
      const ms = performance.now() - started
      return this.#visited(crawlUrl, answer, await this.#read(crawlUrl, answer), ms)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      if (mayRetry && error.passing) return { type: 'postponed', id: crawlUrl.id }
      return this.#failed(crawlUrl, error, performance.now() - started)
    }
  }

  async #read(crawlUrl: CrawlUrl, answer: Answer): Promise<Reading> {
    const location = locationOf(answer)
    if (location !== undefined)
      return followRedirect(crawlUrl, location, this.#discoverer, this.#setup.maxRedirects)
    const { status, body, contentType } = answer
    if (status >= 300 || body === undefined || !isHtml(contentType?.type ?? '')) return UNREAD
    return readPage(crawlUrl, body, contentType?.charset, this.#discoverer)
  }

  #visited(crawlUrl: CrawlUrl, answer: Answer, { record, leadsTo }: Reading, ms: number): Visited {
    const { status, bytes, contentType, truncated } = answer
    const { redirectsTo, charset, title, links, discovered, error } = record
    const line = encodeVisit({
      ...startOf(crawlUrl, status),
      redirectsTo,
      contentType: contentType?.type,
      charset,
      bytes,
      truncated: truncated || undefined,
      title,
      links,
      discovered,
      ...this.#endOf(crawlUrl, ms),
      error,
    })
    const failure = error === undefined ? {} : { error: error.code }
    const { id } = crawlUrl
    return { type: 'visited', id, record: line, status, bytes, ...failure, ...leadsTo }
  }

  #failed(crawlUrl: CrawlUrl, failure: FetchFailure, ms: number): Visited | Failed {
    const { code, message, status } = failure
    const end = this.#endOf(crawlUrl, ms)
    const record = encodeVisit({ ...startOf(crawlUrl, status), ...end, error: { code, message } })
    const { id } = crawlUrl
    if (status === undefined) return { type: 'failed', id, record, error: code, message }
    return { type: 'visited', id, record, status, bytes: 0, error: code, ...UNREAD.leadsTo }
  }

  #endOf({ attempt }: CrawlUrl, ms: number) {
    const time = new Date().toISOString()
    return { ms: Math.round(ms), attempts: attempt, worker: this.#setup.worker, time }
  }
}

function startOf({ url, depth, via, hop }: CrawlUrl, status?: number) {
  return { url, status, depth, via, hop }
}
