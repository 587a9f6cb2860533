import type { Positions } from '../state/ledger.ts'
import type { Delivery } from '../wire/delivery.ts'
import { extendLine } from '../wire/json-line.ts'
import type { Output, OutputEvents } from './output.ts'

/** Says in each record which process of a job wrote it. */
export class SignedOutput implements Output {
  readonly #output: Output
  readonly #agent: string

  constructor(output: Output, agent: string) {
    this.#output = output
    this.#agent = agent
  }

  get congested(): boolean {
    return this.#output.congested
  }

  open(events: OutputEvents): void {
    this.#output.open(events)
  }

  write(visits: readonly Delivery[]): void {
    const signed = visits.map((visit) => {
      return { ...visit, record: extendLine(visit.record, 'agent', this.#agent) }
    })
    this.#output.write(signed)
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
