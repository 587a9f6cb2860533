import type { Answer } from '../fetch/answer.ts'
import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { pauseAfter } from '../fetch/retry-after.ts'
import type { ProbeErrand, ProbeReply } from '../messages/messages.ts'

/** Finds out whether a host is there: of the answer nothing counts but that it is one. */
export class HostProbe {
  readonly #http: HttpClient
  readonly #maxRetryAfter: number

  constructor(http: HttpClient, maxRetryAfter: number) {
    this.#http = http
    this.#maxRetryAfter = maxRetryAfter
  }

  async send({ url, method }: ProbeErrand): Promise<ProbeReply> {
    let answer: Answer | undefined
    try {
      answer = await (method === 'HEAD' ? this.#http.head(url) : this.#http.get(url, 0))
      const { retryAfter } = pauseAfter(answer, this.#maxRetryAfter) ?? {}
      return { status: answer.status, ...(retryAfter !== undefined && { retryAfter }) }
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      return { error: error.code }
    } finally {
      answer?.release()
    }
  }
}
