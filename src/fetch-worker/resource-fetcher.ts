import type { TlsCertificates } from '../fetch/certificates.ts'
import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { pauseAfter } from '../fetch/retry-after.ts'
import type { ResourceFetched, ResourceRequest } from '../messages/messages.ts'
import { retriedStatuses } from '../records/error-code.ts'
import { originOf } from '../url/origin.ts'
import { attemptOf } from './attempt.ts'

interface ResourceFetchOptions {
  readonly maxBody: number
  readonly maxRetryAfter: number
  /** Statuses that are retried in addition to the usual ones. */
  readonly retryStatus: readonly string[]
  readonly certificates?: TlsCertificates | undefined
  /** The origins that get the client certificate. */
  readonly headerOrigins: readonly string[]
}

/** Fetches the resources that rendered pages load. The browser handles redirects: it requests their targets. */
export class ResourceFetcher {
  readonly #fetcher: Fetcher
  readonly #options: ResourceFetchOptions
  readonly #certified: ReadonlySet<string>
  readonly #retried: ReadonlySet<number>

  constructor(fetcher: Fetcher, options: ResourceFetchOptions) {
    this.#fetcher = fetcher
    this.#options = options
    const { certificates, headerOrigins, retryStatus } = options
    this.#retried = retriedStatuses(retryStatus)
    this.#certified = new Set(certificates?.client === undefined ? [] : headerOrigins)
  }

  async fetch({
    id,
    url,
    headers: pageHeaders,
    isCrossSite,
  }: ResourceRequest): Promise<ResourceFetched> {
    const { maxBody, maxRetryAfter } = this.#options
    const started = performance.now()
    // The page could read what only the certificate shows.
    if (isCrossSite === true && this.#certified.has(originOf(url))) {
      const reply = { refused: 'a page of another site may not use the client certificate' }
      return { type: 'resource', id, reply, attempt: attemptOf(0) }
    }
    let response: FetchResponse | undefined
    try {
      const request = { url, maxBody, keepBody: true, pageHeaders, isCrossSite }
      // Fails if the body breaks off: a browser doesn't run a part of a script.
      response = await this.#fetcher.get({ ...request, mayRetry: true })
      const { status, headers, body = Buffer.alloc(0), exchange } = response
      const pause = pauseAfter(response, maxRetryAfter)
      const attempt = attemptOf(response.ms, pause)
      const isTransient = this.#retried.has(status) && pause?.requested === undefined
      // Copied, since all threads may share the memory of the body.
      const reply = { status, headers, body: Buffer.from(body) }
      return { type: 'resource', id, reply, attempt, isTransient, ...(exchange && { exchange }) }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const attempt = attemptOf(performance.now() - started)
      // A page has no time for further attempts at a host that doesn't answer.
      const isTransient = error.isTransient && error.code !== 'timeout'
      return { type: 'resource', id, reply: { refused: error.message }, attempt, isTransient }
    } finally {
      response?.release()
    }
  }
}
