// Hooks may replace the global `setImmediate`, as libraries that fake time do.
import { setImmediate } from 'node:timers'
import type { Outcome } from '../messages/messages.ts'
import type { UrlOutcome } from '../messages/outcome-text.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'

/** Collects the outcomes of one turn of the event loop into one message, since each message costs time. */
export class Outbox {
  readonly #send: (outcomes: readonly UrlOutcome[]) => void
  #outcomes: UrlOutcome[] = []

  constructor(send: (outcomes: readonly UrlOutcome[]) => void) {
    this.#send = send
  }

  put(crawlUrl: CrawlUrl, outcome: Outcome): void {
    if (this.#outcomes.push({ crawlUrl, outcome }) === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    const outcomes = this.#outcomes
    this.#outcomes = []
    this.#send(outcomes)
  }
}

/** Returns the memory of archived responses, which is transferred to the main thread without a copy. */
export function archivedIn(outcomes: readonly Outcome[]): ArrayBuffer[] {
  return outcomes.flatMap((outcome) => {
    const response = 'exchange' in outcome ? outcome.exchange?.response : undefined
    // Small buffers may share memory with others.
    const isAlone = response !== undefined && response.length === response.buffer.byteLength
    return isAlone && response.buffer instanceof ArrayBuffer ? [response.buffer] : []
  })
}
