import type { Output, OutputEvents, Sink } from '../../output/output.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import type { Positions } from '../../state/ledger.ts'

/** A format that writes each visit separately. */
export interface TextFormat {
  /** Text before the first visit. */
  readonly head: string
  /** Returns the text of one visit. */
  encode(visit: Delivery): string
}

export const jsonl: TextFormat = { head: '', encode: ({ record }) => record.line }

/** A sink that knows whether it is still empty. */
type TextSink = Sink & { readonly isEmpty: boolean }

/** Writes visits as text, one after another. */
export class TextOutput implements Output {
  readonly #sink: TextSink
  readonly #format: TextFormat
  #needsHead: boolean

  constructor(sink: TextSink, format: TextFormat) {
    this.#sink = sink
    this.#format = format
    this.#needsHead = sink.isEmpty && format.head !== ''
  }

  get congested(): boolean {
    return this.#sink.congested
  }

  open(events: OutputEvents): void {
    this.#sink.open(events)
  }

  write(visits: readonly Delivery[]): void {
    // The head is not written earlier, so that a crawl that is killed before its first commit leaves an empty file.
    if (this.#needsHead) this.#sink.write([this.#format.head])
    this.#needsHead = false
    this.#sink.write(visits.map((visit) => this.#format.encode(visit)))
  }

  sync(): Promise<Positions> {
    return this.#sink.sync()
  }

  async finish(): Promise<void> {
    this.write([])
  }

  close(): Promise<void> {
    return this.#sink.close()
  }
}
