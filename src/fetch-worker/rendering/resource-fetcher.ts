import type { TlsCertificates } from '../../fetch/certificates.ts'
import type { Fetcher, FetchResponse } from '../../fetch/fetcher.ts'
import { pauseAfter } from '../../fetch/retry-after.ts'
import type { ResourceFetched } from '../../messages/from-worker.ts'
import type { ResourceRequest } from '../../messages/to-worker.ts'
import { retriedStatuses } from '../../records/error-code.ts'
import { originOf } from '../../url/origin.ts'
import { attemptOf } from '../attempt.ts'
import { withResponse } from '../with-response.ts'

type LoadedResource = Omit<ResourceFetched, 'type' | 'id'>

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

  async fetch(request: ResourceRequest): Promise<ResourceFetched> {
    return { type: 'resource', id: request.id, ...(await this.#load(request)) }
  }

  async #load({
    url,
    headers: pageHeaders,
    isCrossSite,
  }: ResourceRequest): Promise<LoadedResource> {
    // The page could read what only the certificate shows.
    if (isCrossSite === true && this.#certified.has(originOf(url))) {
      const refused = 'a page of another site may not use the client certificate'
      return { reply: { refused }, attempt: attemptOf(0) }
    }
    const { maxBody } = this.#options
    const started = performance.now()
    const request = { url, maxBody, keepBody: true, pageHeaders, isCrossSite }
    return withResponse(
      // Fails if the body breaks off: a browser doesn't run a part of a script.
      this.#fetcher.get({ ...request, mayRetry: true }),
      (response) => this.#loadedFrom(response),
      (failure) => ({
        reply: { refused: failure.message },
        attempt: attemptOf(performance.now() - started),
        // A page has no time for further attempts at a host that doesn't answer.
        isTransient: failure.isTransient && failure.code !== 'timeout',
      }),
    )
  }

  #loadedFrom(response: FetchResponse): LoadedResource {
    const { status, headers, body = Buffer.alloc(0), exchange, ms } = response
    const pause = pauseAfter(response, this.#options.maxRetryAfter)
    const isTransient = this.#retried.has(status) && pause?.requested === undefined
    // Copied, since all threads may share the memory of the body.
    const reply = { status, headers, body: Buffer.from(body) }
    return { reply, attempt: attemptOf(ms, pause), isTransient, ...(exchange && { exchange }) }
  }
}
