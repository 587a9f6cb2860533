import type { Positions } from '../state/ledger.ts'
import type { Delivery } from '../wire/delivery.ts'
import { extendLine } from '../wire/json-line.ts'
import type { Output, OutputEvents } from './output.ts'

/**
 * Numbers the records of an output that can't be cut back. After a crash numbers come again: who
 * throws away what he has from such a number on has each record once.
 */
export class NumberedOutput implements Output {
  readonly #output: Output
  #count: number

  /** @param count records that were written before, for good */
  constructor(output: Output, count: number) {
    this.#output = output
    this.#count = count
  }

  get congested(): boolean {
    return this.#output.congested
  }

  open(events: OutputEvents): void {
    this.#output.open(events)
  }

  write(visits: readonly Delivery[]): void {
    const numbered = visits.map((visit) => {
      return { ...visit, record: extendLine(visit.record, 'seq', ++this.#count) }
    })
    this.#output.write(numbered)
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
