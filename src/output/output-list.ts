import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output, OutputEvents } from './output.ts'

/** Combines several outputs. Each receives all visits, and the slowest sets the pace. */
export class OutputList implements Output {
  readonly #outputs: readonly Output[]
  readonly #closed: () => void
  readonly #main: readonly Output[] | undefined

  /**
   * @param closed called when all outputs are closed
   * @param main outputs of which the last one to lose its reader ends the crawl; without them, any output does
   */
  constructor(outputs: readonly Output[], closed: () => void, main: readonly Output[] | undefined) {
    this.#outputs = outputs
    this.#closed = closed
    this.#main = main
  }

  get congested(): boolean {
    return this.#outputs.some(({ congested }) => congested)
  }

  open(events: OutputEvents): void {
    const left = new Set(this.#main)
    for (const output of this.#outputs) {
      const closed = () => {
        if (left.delete(output) && left.size === 0) events.closed()
      }
      output.open(this.#main === undefined ? events : { ...events, closed })
    }
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
