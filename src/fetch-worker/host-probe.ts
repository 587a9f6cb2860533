import type { Fetcher } from '../fetch/fetcher.ts'
import { pauseAfter } from '../fetch/retry-after.ts'
import type { ProbeReply, WorkerMessage } from '../messages/from-worker.ts'
import type { ProbeRequest } from '../messages/to-worker.ts'
import { withResponse } from './with-response.ts'

/** Checks whether a host responds at all. The status of its response doesn't matter. */
export class HostProbe {
  readonly #fetcher: Fetcher
  readonly #maxRetryAfter: number

  constructor(fetcher: Fetcher, maxRetryAfter: number) {
    this.#fetcher = fetcher
    this.#maxRetryAfter = maxRetryAfter
  }

  async send({ host, url, method }: ProbeRequest): Promise<WorkerMessage> {
    const request =
      method === 'HEAD' ? this.#fetcher.head({ url }) : this.#fetcher.get({ url, maxBody: 0 })
    const reply = await withResponse<ProbeReply>(
      request,
      (response) => {
        const { retryAfter } = pauseAfter(response, this.#maxRetryAfter) ?? {}
        return { status: response.status, ...(retryAfter !== undefined && { retryAfter }) }
      },
      ({ code }) => ({ error: code }),
    )
    return { type: 'probe', host, reply }
  }
}
