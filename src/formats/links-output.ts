import type { Output, OutputEvents, Sink } from '../output/output.ts'
import { encodeLine } from '../records/json-line.ts'
import type { Delivery, PageLinks } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'

/** A link of a page, as a line of JSON. */
interface Edge {
  /** Canonical URL of the page. */
  readonly from: string
  /** Canonical URL of the target, with the link's fragment. */
  readonly to: string
  /** Text of the link. */
  readonly text?: string
}

/** Writes the links of visited pages, in the order of each page. */
export class LinksOutput implements Output {
  readonly #sink: Sink

  constructor(sink: Sink) {
    this.#sink = sink
  }

  get congested(): boolean {
    return this.#sink.congested
  }

  open(events: OutputEvents): void {
    this.#sink.open(events)
  }

  write(visits: readonly Delivery[]): void {
    for (const { pageLinks } of visits) {
      if (pageLinks === undefined) continue
      this.#sink.write(edgesOf(pageLinks).map(encodeLine))
    }
  }

  sync(): Promise<Positions> {
    return this.#sink.sync()
  }

  async finish(): Promise<void> {}

  close(): Promise<void> {
    return this.#sink.close()
  }
}

function edgesOf({ from, to, texts }: PageLinks): Edge[] {
  return to.map((url, at) => {
    const text = texts?.[at] ?? ''
    return text === '' ? { from, to: url } : { from, to: url, text }
  })
}
