import type { Delivery } from '../records/delivery.ts'
import { extendLine } from '../records/json-line.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output, OutputEvents } from './output.ts'

/** An output whose records get one field more. */
class MarkedOutput implements Output {
  readonly #output: Output
  readonly #mark: (record: string) => string

  /** @param mark called once for each record, in order */
  constructor(output: Output, mark: (record: string) => string) {
    this.#output = output
    this.#mark = mark
  }

  get congested(): boolean {
    return this.#output.congested
  }

  open(events: OutputEvents): void {
    this.#output.open(events)
  }

  write(visits: readonly Delivery[]): void {
    this.#output.write(visits.map((visit) => ({ ...visit, record: this.#mark(visit.record) })))
  }

  sync(): Promise<Positions> {
    return this.#output.sync()
  }

  finish(): Promise<void> {
    return this.#output.finish()
  }

  close(): Promise<void> {
    return this.#output.close()
  }
}

/**
 * Numbers the records of an output that can't be cut back. After a crash numbers come again: who
 * throws away what he has from such a number on has each record once.
 * @param before records that were written before, for good
 */
export function numbered(output: Output, before: number): Output {
  let count = before
  return new MarkedOutput(output, (record) => extendLine(record, 'seq', ++count))
}

/** Says in each record which process of a job wrote it. */
export function signed(output: Output, agent: string): Output {
  return new MarkedOutput(output, (record) => extendLine(record, 'agent', agent))
}
