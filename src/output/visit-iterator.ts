import type { Visit } from '../records/visit.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output, OutputEvents } from './output.ts'

/** Maximum number of visits that are buffered for a reader that is slower than the crawl. */
const MAX_VISITS = 1_000
/** Maximum characters of buffered records, which may be long if they contain page data. */
const MAX_CHARACTERS = 2 ** 26

/** Visits as objects, for a program that iterates over them. */
export class VisitIterator implements Output, AsyncIterableIterator<Visit, void> {
  /** The buffered visits as lines: so each reader gets an object of its own, and the sizes are known. */
  #records: string[] = []
  #characters = 0
  #events: OutputEvents | undefined
  #changed = Promise.withResolvers<void>()
  #ended = false

  get congested(): boolean {
    const isFull = this.#records.length >= MAX_VISITS || this.#characters >= MAX_CHARACTERS
    return isFull && !this.#ended
  }

  open(events: OutputEvents): void {
    this.#events = events
    if (this.#ended) events.closed()
  }

  write(visits: readonly Delivery[]): void {
    if (!this.#ended) for (const { record } of visits) this.#push(record.line)
    this.#wakeReaders()
  }

  /** Does nothing, since nothing is stored. */
  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {
    this.#ended = true
    this.#wakeReaders()
  }

  async next(): Promise<IteratorResult<Visit, void>> {
    while (this.#records.length === 0 && !this.#ended) await this.#changed.promise
    const wasCongested = this.congested
    const record = this.#records.shift()
    if (record === undefined) return { done: true, value: undefined }
    this.#characters -= record.length
    if (wasCongested && !this.congested) this.#events?.drained()
    return { done: false, value: JSON.parse(record) }
  }

  /** Ends the crawl. Called when the reader leaves its loop. */
  async return(): Promise<IteratorResult<Visit, void>> {
    this.#ended = true
    this.#records = []
    this.#wakeReaders()
    this.#events?.closed()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #push(record: string): void {
    this.#records.push(record)
    this.#characters += record.length
  }

  #wakeReaders(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
