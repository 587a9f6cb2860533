import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { pauseAfter } from '../fetch/retry-after.ts'
import type { ResourceFetched, ResourceRequest } from '../messages/messages.ts'
import { attemptOf } from './attempt.ts'

interface ResourceFetchLimits {
  readonly maxBody: number
  readonly maxRetryAfter: number
}

/** Fetches the resources that rendered pages load. The browser handles redirects: it requests their targets. */
export class ResourceFetcher {
  readonly #fetcher: Fetcher
  readonly #limits: ResourceFetchLimits

  constructor(fetcher: Fetcher, limits: ResourceFetchLimits) {
    this.#fetcher = fetcher
    this.#limits = limits
  }

  async fetch({ id, url, headers: pageHeaders, isCrossSite }: ResourceRequest): Promise<ResourceFetched> {
    const { maxBody, maxRetryAfter } = this.#limits
    const started = performance.now()
    let response: FetchResponse | undefined
    try {
      response = await this.#fetcher.get({ url, maxBody, keepBody: true, pageHeaders, isCrossSite })
      const { status, headers, body = Buffer.alloc(0), exchange } = response
      const attempt = attemptOf(response.ms, pauseAfter(response, maxRetryAfter))
      // Copied, since all threads may share the memory of the body.
      const reply = { status, headers, body: Buffer.from(body) }
      return { type: 'resource', id, reply, attempt, ...(exchange && { exchange }) }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const attempt = attemptOf(performance.now() - started)
      return { type: 'resource', id, reply: { refused: error.message }, attempt }
    } finally {
      response?.release()
    }
  }
}
