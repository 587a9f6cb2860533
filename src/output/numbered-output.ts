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

  write(records: readonly string[]): void {
    this.#output.write(records.map((record) => extendLine(record, 'seq', ++this.#count)))
  }

  sync(): Promise<number> {
    return this.#output.sync()
  }

  close(): Promise<void> {
    return this.#output.close()
  }
}
