import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output, OutputEvents } from './output.ts'

/** Combines several outputs. Each receives all visits, and the slowest sets the pace. */
export class OutputList implements Output {
  readonly #outputs: readonly Output[]
  readonly #closed: () => void
  readonly #independent: ReadonlySet<Output>

  /**
   * @param closed called when all outputs are closed
   * @param independent outputs whose reader may leave as long as one of these outputs is left; any other ends the crawl
   */
  constructor(outputs: readonly Output[], closed: () => void, independent: readonly Output[]) {
    this.#outputs = outputs
    this.#closed = closed
    this.#independent = new Set(independent)
  }

  get congested(): boolean {
    return this.#outputs.some(({ congested }) => congested)
  }

  open(events: OutputEvents): void {
    let left = this.#independent.size
    const closed = () => {
      left--
      if (left === 0) events.closed()
    }
    for (const output of this.#outputs)
      output.open(this.#independent.has(output) ? { ...events, closed } : events)
  }

  write(visits: readonly Delivery[]): void {
    for (const output of this.#outputs) output.write(visits)
  }

  async sync(): Promise<Positions> {
    const positions = await this.#all((output) => output.sync())
    return Object.assign({}, ...positions)
  }

  async finish(): Promise<void> {
    await this.#all((output) => output.finish())
  }

  async close(): Promise<void> {
    await this.#all((output) => output.close()).finally(() => this.#closed())
  }

  /** Runs an action on all outputs, even if one fails. Rejects with the first failure. */
  async #all<T>(act: (output: Output) => Promise<T>): Promise<T[]> {
    const results = await Promise.allSettled(this.#outputs.map(act))
    const failure = results.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  }
}
