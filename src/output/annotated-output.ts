import type { Delivery } from '../records/visit-attachments.ts'
import type { VisitRecord } from '../records/visit-record.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output, OutputEvents } from './output.ts'

/** Adds a field to each record of an output. */
class AnnotatedOutput implements Output {
  readonly #output: Output
  readonly #annotate: (record: VisitRecord) => VisitRecord

  /** @param annotate called once for each record, in order */
  constructor(output: Output, annotate: (record: VisitRecord) => VisitRecord) {
    this.#output = output
    this.#annotate = annotate
  }

  get congested(): boolean {
    return this.#output.congested
  }

  open(events: OutputEvents): void {
    this.#output.open(events)
  }

  write(visits: readonly Delivery[]): void {
    this.#output.write(visits.map((visit) => ({ ...visit, record: this.#annotate(visit.record) })))
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
 * Numbers the records of an output that can't be truncated on resuming. After a crash, some numbers
 * occur again: a reader that then drops its earlier records from the first such number on has each
 * record once.
 * @param before number of records that earlier runs committed
 */
export function withSequenceNumbers(output: Output, before: number): Output {
  let count = before
  return new AnnotatedOutput(output, (record) => record.with({ seq: ++count }))
}

/** Adds the name of the job's process to each record. */
export function withAgentName(output: Output, agent: string): Output {
  return new AnnotatedOutput(output, (record) => record.with({ agent }))
}
