// Hooks may replace the global `setImmediate`, as libraries that fake time do.
import { setImmediate } from 'node:timers'
import type { MessagePort } from 'node:worker_threads'
import { ClaimLog } from '../messages/claim-log.ts'
import type { WorkerMessage } from '../messages/from-worker.ts'
import type { Outcome } from '../messages/outcome.ts'
import { packOutcomes, type UrlOutcome } from '../messages/outcome-text.ts'
import type { ThreadSetup } from '../messages/worker-setup.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'

type OutboxSetup = Pick<
  ThreadSetup,
  'claims' | 'contentDedup' | 'defersSeenCheck' | 'port' | 'render'
>

/**
 * Sends the messages of a worker to the main thread. The outcomes of one turn of the event loop form one message, since
 * each message costs time.
 */
export class Outbox {
  /** The URLs that the worker added to shared sets, and whose pages are not reported yet. */
  readonly claims: ClaimLog
  readonly #port: MessagePort
  readonly #areRecordsFinal: boolean
  #outcomes: UrlOutcome[] = []

  constructor(setup: OutboxSetup) {
    this.#port = setup.port
    this.#areRecordsFinal = !changesRecords(setup)
    // Copied rather than transferred: after the first transfer, V8 discards all optimized code that reads typed arrays.
    this.claims = new ClaimLog(setup.claims, (older) => this.post({ type: 'claims', ...older }))
  }

  post(message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  report(crawlUrl: CrawlUrl, outcome: Outcome): void {
    if (this.#outcomes.push({ crawlUrl, outcome }) === 1) setImmediate(() => this.#flush())
  }

  /** Reports URLs that were not requested, so that the main thread assigns them again. */
  returnUnsent(ids: readonly number[]): void {
    for (const id of ids) this.post({ type: 'unsent', id })
  }

  /** Reports URLs that were not requested, after the outcomes so far. */
  returnUnsentAfterOutcomes(ids: readonly number[]): void {
    setImmediate(() => this.returnUnsent(ids))
  }

  /** Closes the connection. The thread ends when nothing is in flight any more. */
  close(): void {
    this.#port.close()
  }

  #flush(): void {
    const outcomes = this.#outcomes
    this.#outcomes = []
    const message = packOutcomes(outcomes, this.#areRecordsFinal)
    this.post(message, archivedIn(message.others))
    for (const { crawlUrl } of outcomes) this.claims.reported(crawlUrl.id)
  }
}

/** Returns whether the main thread may change records before it writes them. */
function changesRecords({ contentDedup, defersSeenCheck, render }: OutboxSetup): boolean {
  return contentDedup !== undefined || defersSeenCheck || render !== 'never'
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
