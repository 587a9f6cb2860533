import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { CrawlerError } from '../../errors.ts'
import type { Destinations } from '../../output/open-files.ts'
import type { Output, OutputEvents } from '../../output/output.ts'
import type { StoredVisits } from '../../output/stored-visits.ts'
import { outputError, type StreamOutput } from '../../output/stream-output.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import { isDamage } from '../../state/explain-state-error.ts'
import type { Positions } from '../../state/ledger.ts'

/** Time after which other events get a turn, in milliseconds. */
const LONG_MS = 20

/** Generates a file's text from all visits. Yields empty texts during other work, so that it can be paused. */
export type Derivation = (visits: StoredVisits) => Iterable<string>

/** An output that is written at the end of the crawl, from all visits. */
export class DerivedOutput implements Output {
  readonly congested = false
  readonly #name: string
  readonly #sink: StreamOutput
  readonly #visits: StoredVisits
  readonly #derive: Derivation
  #events: OutputEvents | undefined
  #isReaderGone = false
  /** True if the sink accepts no more text. */
  #isEnded = false
  #wake: (() => void) | undefined

  private constructor(name: string, sink: StreamOutput, visits: StoredVisits, derive: Derivation) {
    this.#name = name
    this.#sink = sink
    this.#visits = visits
    this.#derive = derive
  }

  /** @param name name of a file, or - for stdout */
  static async open(
    name: string,
    destinations: Destinations,
    derive: Derivation,
  ): Promise<DerivedOutput> {
    return new DerivedOutput(name, await destinations.openSink(name), destinations.visits, derive)
  }

  open(events: OutputEvents): void {
    this.#events = events
  }

  /** Does nothing: visits are stored once for all derived outputs. */
  write(_: readonly Delivery[]): void {}

  /** A resumed run writes the whole file again. */
  async sync(): Promise<Positions> {
    return this.#sink.isCutBackOnResume ? { [resolve(this.#name)]: 0 } : {}
  }

  async finish(): Promise<void> {
    this.#sink.open({
      drained: () => this.#wake?.(),
      closed: () => {
        this.#isReaderGone = true
        this.#end(() => this.#events?.closed())
      },
      failed: (error) => this.#end(() => this.#events?.failed(error)),
    })
    try {
      await this.#writeTexts()
    } catch (error) {
      throw isDamage(error) || error instanceof CrawlerError
        ? error
        : outputError(this.#name, error)
    }
    await this.#sink.sync().catch((error) => {
      if (!this.#isReaderGone) throw error
    })
  }

  /** Writes all texts. Signals, the log and the live view get their turns meanwhile. */
  async #writeTexts(): Promise<void> {
    let start = performance.now()
    for (const text of this.#derive(this.#visits)) {
      if (text !== '') this.#sink.write([text])
      if (this.#sink.congested) await this.#drained()
      else if (performance.now() - start > LONG_MS) {
        await turn()
        start = performance.now()
      }
      if (this.#isEnded) break
    }
  }

  close(): Promise<void> {
    return this.#sink.close()
  }

  #end(notify: () => void): void {
    this.#isEnded = true
    this.#wake?.()
    notify()
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
