import { resolve } from 'node:path'
import type { Output, OutputEvents } from '../../output/output.ts'
import { asOutputError } from '../../output/output-error.ts'
import type { StoredVisits } from '../../output/stored-visits.ts'
import type { StreamOutput } from '../../output/stream-output.ts'
import { writeTexts } from '../../output/write-texts.ts'
import type { Delivery } from '../../records/visit-attachments.ts'
import type { Positions } from '../../state/ledger.ts'

/** Generates a file's text from all visits. Yields empty texts during other work, as `writeTexts` expects. */
export type Derivation = (visits: StoredVisits) => Iterable<string>

/** An output that is written at the end of the crawl, from all visits. */
export class DerivedOutput implements Output {
  readonly congested = false
  readonly #name: string
  readonly #sink: StreamOutput
  readonly #visits: StoredVisits
  readonly #derive: Derivation
  #events: OutputEvents | undefined

  /** @param name name of a file, or - for stdout */
  constructor(name: string, sink: StreamOutput, visits: StoredVisits, derive: Derivation) {
    this.#name = name
    this.#sink = sink
    this.#visits = visits
    this.#derive = derive
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
    let isReaderGone = false
    try {
      await writeTexts(this.#sink, this.#derive(this.#visits), {
        closed: () => {
          isReaderGone = true
          this.#events?.closed()
        },
        failed: (error) => this.#events?.failed(error),
      })
    } catch (error) {
      throw asOutputError(this.#name, error)
    }
    await this.#sink.sync().catch((error) => {
      if (!isReaderGone) throw error
    })
  }

  close(): Promise<void> {
    return this.#sink.close()
  }
}
