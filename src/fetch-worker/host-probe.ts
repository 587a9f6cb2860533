import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { Fetcher, FetchResponse } from '../fetch/fetcher.ts'
import { pauseAfter } from '../fetch/retry-after.ts'
import type { ProbeReply, ProbeRequest } from '../messages/messages.ts'

/** Checks whether a host responds at all. The status of its response doesn't matter. */
export class HostProbe {
  readonly #fetcher: Fetcher
  readonly #maxRetryAfter: number

  constructor(fetcher: Fetcher, maxRetryAfter: number) {
    this.#fetcher = fetcher
    this.#maxRetryAfter = maxRetryAfter
  }

  async send({ url, method }: ProbeRequest): Promise<ProbeReply> {
    let response: FetchResponse | undefined
    try {
      response = await (method === 'HEAD'
        ? this.#fetcher.head({ url })
        : this.#fetcher.get({ url, maxBody: 0 }))
      const { retryAfter } = pauseAfter(response, this.#maxRetryAfter) ?? {}
      return { status: response.status, ...(retryAfter !== undefined && { retryAfter }) }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      return { error: error.code }
    } finally {
      response?.release()
    }
  }
}
