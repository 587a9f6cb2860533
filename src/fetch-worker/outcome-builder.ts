import { isHtml } from '../fetch/content-type.ts'
import type { FetchFailure } from '../fetch/fetch-failure.ts'
import type { FetchResponse } from '../fetch/fetcher.ts'
import { imageKindOf } from '../fetch/image-kind.ts'
import { versionOf } from '../fetch/response-version.ts'
import type { Attempt, Failed, Postponed, Visited } from '../messages/outcome.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import { withHeaders } from '../page-data/response-headers.ts'
import { type Change, type ContentVersion, changeOf } from '../records/content-version.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Mutable } from '../records/mutable.ts'
import type { FetchedFields } from '../records/visit-record.ts'
import { isoTime } from './iso-time.ts'
import type { LinkRules } from './links/link-rules.ts'
import type { SkipCounter } from './links/skip-counter.ts'
import { type ParsedResponse, UNPARSED } from './parse/parsed-response.ts'

type BuilderSetup = Pick<
  WorkerSetup,
  'worker' | 'deterministic' | 'digests' | 'hash' | 'responseHeaders'
>

/** Builds the outcomes of visits: the data that the main thread needs, and the fields of the record. */
export class OutcomeBuilder {
  readonly #setup: BuilderSetup
  readonly #rules: LinkRules
  readonly #skipCounter: SkipCounter
  readonly #onCut: () => void

  /** @param onCut called for each body that is cut because it is longer than `--max-body` */
  constructor(setup: BuilderSetup, rules: LinkRules, skipCounter: SkipCounter, onCut: () => void) {
    this.#setup = setup
    this.#rules = rules
    this.#skipCounter = skipCounter
    this.#onCut = onCut
  }

  visited(
    crawlUrl: CrawlUrl,
    response: FetchResponse,
    parsed: ParsedResponse,
    attempt: Attempt,
  ): Visited {
    const { status, exchange, start } = response
    const { redirectsTo, error } = parsed.fields
    const content = this.#setup.digests ? versionOf(response, redirectsTo) : undefined
    const change = changeSince(crawlUrl, response, content)
    const fields = this.#fieldsOf(crawlUrl, response, parsed.fields, attempt)
    if (change !== undefined) fields.change = change
    const hasBody = redirectsTo === undefined && fields.bytes !== undefined
    if (this.#setup.hash && hasBody) fields.hash = content?.digest
    const { skipped, counts } = this.#skipCounter.count(crawlUrl, parsed.skips, parsed.rewrites)
    const { ms, retryAfter } = attempt
    const visited: Mutable<Visited> = {
      ...parsed.findings,
      type: 'visited',
      id: crawlUrl.id,
      status,
      bytes: fields.bytes,
      fields,
      ms,
      skipped,
    }
    if (retryAfter !== undefined) visited.retryAfter = retryAfter
    if (counts !== undefined) visited.counts = counts
    if (error !== undefined) visited.error = error.code
    if (content !== undefined) visited.content = content
    if (change !== undefined) visited.change = change
    if (exchange !== undefined) visited.exchange = exchange
    const mayBeImage = status === 200 && !isHtml(response.contentType?.type ?? '')
    if (start !== undefined && mayBeImage && !this.#rules.isCheckedOnly(crawlUrl))
      visited.imageKind = imageKindOf(start)
    return visited
  }

  /** Returns the outcome of a request without a usable response. */
  failed(crawlUrl: CrawlUrl, failure: FetchFailure, attempt: Attempt): Visited | Failed {
    const { id } = crawlUrl
    const { code, message, status } = failure
    const change = changeSince(crawlUrl)
    const fields: Mutable<FetchedFields> = { error: { code, message } }
    if (change !== undefined) fields.change = change
    this.#addRequestFields(fields, attempt)
    if (status === undefined) {
      return { ...attempt, type: 'failed', id, fields, error: code, message }
    }
    fields.status = status
    const visited = { type: 'visited', id, status, bytes: undefined, fields, skipped: [] } as const
    return { ...UNPARSED.findings, ...attempt, ...visited, error: code }
  }

  #fieldsOf(
    crawlUrl: CrawlUrl,
    { status, headers, bytes, body, contentType, endsEarly, truncated }: FetchResponse,
    parsed: ParsedResponse['fields'],
    attempt: Attempt,
  ): Mutable<FetchedFields> {
    const fields: Mutable<FetchedFields> = { ...parsed, status }
    if (contentType !== undefined) fields.contentType = contentType.type
    if (!this.#rules.isCheckedOnly(crawlUrl)) {
      fields.bytes = bytes
      if (truncated) fields.truncated = true
      if (truncated && !endsEarly && body !== undefined) this.#onCut()
    }
    const { responseHeaders } = this.#setup
    if (responseHeaders.length > 0)
      fields.dataJson = withHeaders(responseHeaders, headers, parsed.dataJson)
    this.#addRequestFields(fields, attempt)
    return fields
  }

  /** Adds the fields that differ from crawl to crawl. */
  #addRequestFields(fields: Mutable<FetchedFields>, { ms }: Attempt): void {
    if (this.#setup.deterministic) return
    fields.ms = ms
    fields.worker = this.#setup.worker
    fields.time = isoTime(Date.now())
  }
}

/** The reason why another request for the URL follows. */
interface PostponedBy extends Pick<Postponed, 'status' | 'error'> {
  readonly isPreliminary: boolean
  readonly timedOut?: boolean
}

/** Returns the outcome of a request that another request for the URL will follow. */
export function postponed(
  { id }: CrawlUrl,
  attempt: Attempt,
  { isPreliminary, timedOut = false, ...met }: PostponedBy,
): Postponed {
  const flags = { ...(timedOut && { timedOut }), ...(isPreliminary && { isPreliminary }) }
  return { type: 'postponed', id, ...attempt, ...met, ...flags }
}

/** Returns how the content differs from the last visit; undefined without --revisit-after, or if that is unknown. */
function changeSince(
  { before }: CrawlUrl,
  response?: FetchResponse,
  content?: ContentVersion,
): Change | undefined {
  if (before === undefined) return undefined
  // An incomplete body can't be compared.
  const isUnknown = content === undefined && response?.endsEarly === true
  return changeOf(before, isUnknown ? undefined : response?.status, content?.digest)
}
